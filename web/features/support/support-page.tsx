import { Link } from "react-router-dom";
import { type Company, replyWords, telephoneWords } from "../../../domain/settings/company.ts";
import { pages } from "../../paths.ts";
import { useConfig } from "../../site/config.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { ContactForm } from "./contact-form.tsx";
import { HelpSearch } from "./help/help-search.tsx";

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
        You’ll find answers to most questions here. For anything else, write to us and a person in Nottingham
        will reply.
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
