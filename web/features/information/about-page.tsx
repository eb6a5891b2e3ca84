import { Link } from "react-router-dom";
import { registrationLines, replyWords, telephoneWords } from "../../../domain/settings/company.ts";
import { pages } from "../../paths.ts";
import { useConfig, usePostalAddress, useRetentionWords, useTradingName } from "../../site/config.ts";
import { HonestPrice } from "../../ui/price-notes.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /about: who we are, and who we are not. */
export default function AboutPage() {
  const name = useTradingName();
  const address = usePostalAddress();
  const kept = useRetentionWords();
  const company = useConfig().data;
  return (
    <ProsePage
      title="About Us"
      lead={`${name} is a private company. We do one thing: the paperwork for certificates.`}
    >
      <p>
        People often need a certificate when a form is the last thing they want to deal with: after a birth or
        a death, or when they need a passport in a hurry. We ask simple questions, fill in the General
        Register Office’s form, submit it, pay its fee and keep you up to date. The GRO posts the certificate
        to the address you give us.
      </p>
      <h2>Not a government service</h2>
      <p>
        We are not the General Register Office (GRO), and we are not affiliated with it or any other
        government body. We neither print nor deliver certificates. You pay us for the paperwork, which you
        can also do yourself: anyone can order from the GRO.
      </p>
      <HonestPrice className="mt-6" />
      <h2>Why we delete your details</h2>
      <p>
        A certificate application holds the answers to many people’s security questions, so we keep as little
        as we can. We delete what you tell us about the person on the certificate within 3 minutes of
        submission, and give you a receipt to prove it. We delete your name and address {kept} after your
        order is closed. Our{" "}
        <Link className="link" to={pages.privacy}>
          privacy policy
        </Link>{" "}
        has the details.
      </p>
      <h2>Contact us</h2>
      <p>
        {name}, {address}
      </p>
      {company && registrationLines(company).map((line) => <p key={line}>{line}</p>)}
      {company && telephoneWords(company) && <p>{telephoneWords(company)}</p>}
      <p>
        <Link className="link" to={pages.support}>
          Use our contact form
        </Link>
        {company && (
          <>
            , or email{" "}
            <a className="link" href={`mailto:${company.supportEmail}`}>
              {company.supportEmail}
            </a>
          </>
        )}
        . A person will reply. {company && replyWords(company)}
      </p>
    </ProsePage>
  );
}
