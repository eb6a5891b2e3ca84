import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { type Company, replyWords, telephoneWords } from "../../../domain/settings/company.ts";
import { pages } from "../../paths.ts";
import { useConfig } from "../../site/config.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { ContactForm } from "./contact-form.tsx";
import { type Article, helpGroups } from "./help/articles.ts";
import { searchArticles } from "./help/search-articles.ts";

/** The telephone with its hours, and how soon we reply: only what is set. */
function Reach({ company }: { company: Company }) {
  const lines = [telephoneWords(company), replyWords(company)].filter((line) => line !== "");
  return lines.map((line) => (
    <p key={line} className="mt-2 max-w-measure">
      {line}
    </p>
  ));
}

/** /support: the questions asked most, and the form that reaches a person. */
export default function SupportPage() {
  const company = useConfig().data;
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title="Support">Support</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        You’ll find answers to most questions here. For anything else, write to us and a person will reply.
      </p>
      <p className="mt-3 max-w-measure">
        <a className="link" href="#contact">
          Ask us
        </a>
        {" · "}
        <Link className="link" to={pages.lookup}>
          Look up an order
        </Link>
        {" · "}
        <Link className="link" to={pages.conversation}>
          View your messages
        </Link>
        {company && (
          <>
            {" · "}
            <a className="link" href={`mailto:${company.supportEmail}`}>
              {company.supportEmail}
            </a>
          </>
        )}
      </p>
      {company && <Reach company={company} />}
      <div className="mt-10 grid items-start gap-x-16 gap-y-12 lg:grid-cols-[1fr_28rem]">
        <HelpSearch />
        <section aria-labelledby="contact" className="min-w-0">
          <h2 id="contact" className="text-28">
            Ask us
          </h2>
          <p className="mt-3 text-muted">
            Never send us your card number. We don’t need your certificate details either: your order number
            is enough.
          </p>
          <ContactForm action="Send" />
        </section>
      </div>
    </div>
  );
}

const everyArticle = helpGroups.flatMap(({ articles }) => articles);

/** The help articles: all of them by group, or those that match the search. */
function HelpSearch() {
  const [typed, setTyped] = useState("");
  const box = useRef<HTMLInputElement>(null);
  // Input typed before hydration is in the box, but caused no event.
  useEffect(() => setTyped(box.current?.value ?? ""), []);
  const found = useMemo(() => searchArticles(typed, everyArticle), [typed]);
  const searching = found !== everyArticle;
  return (
    <section aria-labelledby="help">
      <h2 id="help" className="text-28">
        Questions and answers
      </h2>
      <search className="needs-script mt-4 block">
        <label htmlFor="help-search" className="block font-[600]">
          Search the answers
        </label>
        <input
          ref={box}
          id="help-search"
          type="search"
          className="field-box mt-1.5"
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </search>
      <p role="status" className={searching ? "mt-3 text-14 text-muted" : "sr-only"}>
        {searching && countOf(found.length)}
      </p>
      {searching ? <ArticleList articles={found} /> : <GroupedArticles />}
    </section>
  );
}

const countOf = (count: number): string => {
  if (count === 0) return "We found no answers about that. Try another word, or ask us using the form.";
  return count === 1 ? "1 answer" : `${count} answers`;
};

function GroupedArticles() {
  return helpGroups.map(({ title, articles }) => (
    <div key={title} className="mt-8">
      <h3 className="text-22">{title}</h3>
      <ArticleList articles={articles} />
    </div>
  ));
}

function ArticleList({ articles }: { articles: readonly Article[] }) {
  if (articles.length === 0) return null;
  return (
    <div className="mt-3 divide-y divide-hairline border-y border-hairline">
      {articles.map((article) => (
        <Answer key={article.id} article={article} />
      ))}
    </div>
  );
}

/** Opens without scripts too. */
function Answer({ article: { id, question, answer, link } }: { article: Article }) {
  return (
    <details id={id} className="question">
      <summary className="cursor-pointer py-3 font-[600]">{question}</summary>
      <div className="max-w-measure space-y-3 pb-5 pl-6">
        {answer.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {link && (
          <p>
            <Link className="link" to={link.to}>
              {link.words}
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}
