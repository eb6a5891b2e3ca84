import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { type Article, helpGroups } from "./articles.ts";
import { searchArticles } from "./search-articles.ts";

const everyArticle = helpGroups.flatMap(({ articles }) => articles);

/** The help articles: all of them by group, or those that match the search. */
export function HelpSearch() {
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
