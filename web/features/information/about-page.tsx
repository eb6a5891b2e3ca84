import { Link } from "react-router-dom";
import { useConfig, usePostalAddress, useRetentionWords, useTradingName } from "../../api/get-config.ts";
import { pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /about: who we are, and who we are not. */
export default function AboutPage() {
  const name = useTradingName();
  const address = usePostalAddress();
  const kept = useRetentionWords();
  const email = useConfig().data?.supportEmail;
  return (
    <ProsePage
      title="About Us"
      lead={`${name} is a private company in Nottingham. We do one thing: paperwork for certificates.`}
    >
      <p>
        People need a certificate at moments when a form is the last thing they want: a birth, a death, a
        passport in a hurry. We ask plain questions, fill in the General Register Office’s form, send it and
        pay its fee, and tell you where it has got to. The certificate comes from the GRO by post, to the
        address you give us.
      </p>
      <h2>What we are not</h2>
      <p>
        We are not the General Register Office, nor affiliated with it or any other government body. We
        neither print nor deliver certificates. What we sell is the work in between, and you can do that work
        yourself: the GRO takes orders from anyone.
      </p>
      <HonestPrice className="mt-6" />
      <h2>Why we delete things</h2>
      <p>
        A certificate application is a list of the answers to other people’s security questions. So we hold on
        to as little as we can: what you tell us about the person on the certificate is destroyed within 3
        minutes of submission, and you get a receipt that shows it. Your name and address go {kept} after your
        order is complete. The{" "}
        <Link className="link" to={pages.privacy}>
          privacy policy
        </Link>{" "}
        says all of it.
      </p>
      <h2>Where to find us</h2>
      <p>
        {name}, {address}
      </p>
      <p>
        <Link className="link" to={pages.support}>
          Write to us with the form
        </Link>
        {email && (
          <>
            , or to{" "}
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          </>
        )}
        . A person answers.
      </p>
    </ProsePage>
  );
}
