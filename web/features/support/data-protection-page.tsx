import { Link } from "react-router-dom";
import { official, pages } from "../../paths.ts";
import { useConfig, useTradingName } from "../../site/config.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { ContactForm } from "./contact-form.tsx";

/** /data-protection: complaining about what is done with one's personal data. */
export default function DataProtectionPage() {
  const name = useTradingName();
  const email = useConfig().data?.supportEmail;
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title="Data protection complaints">Data protection complaints</PageHeading>
      <div className="prose-page mt-4">
        <p className="text-18 text-muted">
          If you think that {name} has not handled your personal data as the law or our{" "}
          <Link className="link" to={pages.privacy}>
            privacy policy
          </Link>{" "}
          requires, tell us here.
        </p>
        <h2>What happens next</h2>
        <ul>
          <li>You get a ticket number and a private page straight away, and by email.</li>
          <li>
            We acknowledge your complaint within 30 days, look into it without undue delay, and keep you
            informed.
          </li>
          <li>We tell you what we found and what we are doing about it.</li>
          <li>
            At any time, you can complain to the regulator, the{" "}
            <a className="link" href={official.regulator}>
              Information Commissioner’s Office
            </a>
            .
          </li>
        </ul>
        {email && (
          <p>
            You can also write to{" "}
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
            . To see, correct or erase your data, use the form on{" "}
            <Link className="link" to={pages.support}>
              Support
            </Link>{" "}
            and choose ‘My personal data’.
          </p>
        )}
      </div>
      <section aria-labelledby="complaint" className="mt-10 max-w-form">
        <h2 id="complaint" className="text-28">
          Your complaint
        </h2>
        <ContactForm category="dataProtectionComplaint" action="Send complaint" />
      </section>
    </div>
  );
}
