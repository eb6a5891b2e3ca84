import { Link } from "react-router-dom";
import { useConfig } from "../../api/get-config.ts";
import { pages } from "../../paths.ts";
import { ProsePage } from "./prose-page.tsx";

/** /support: how to reach a person, and the questions asked most. */
export default function SupportPage() {
  const email = useConfig().data?.supportEmail;
  return (
    <ProsePage title="Support" lead="Write to us and a person in Nottingham answers.">
      <p>
        {email ? (
          <a className="link text-18" href={`mailto:${email}`}>
            {email}
          </a>
        ) : (
          "The support address could not be loaded just now. Please reload the page."
        )}
      </p>
      <p>Give your order number, never your card number. We need nothing else to find your order.</p>
      <h2>Where is my certificate?</h2>
      <p>
        <Link className="link" to={pages.lookup}>
          Look up your order
        </Link>{" "}
        with its number: the page shows the day by which the GRO is expected to despatch it.
      </p>
      <h2>I do not have my order number</h2>
      <p>
        It is in the subject of the confirmation we sent you. Look in your spam folder too; if it is not
        there, write to us.
      </p>
      <h2>Can I cancel?</h2>
      <p>
        Yes, with a full refund, until your application has been submitted to the GRO. The order’s page says
        whether that is still possible.
      </p>
      <h2>I was adopted and want my own birth certificate</h2>
      <p>
        The General Register Office handles the certificate of your birth before adoption by phone: please
        call 0300 123 1837.
      </p>
    </ProsePage>
  );
}
