import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /how-it-works: from the first question to the letter box. */
export default function HowItWorksPage() {
  return (
    <ProsePage title="How it works" lead="What happens to your order, and to your details, step by step.">
      <h2>You answer five short steps</h2>
      <p>
        Which certificate, who you are, whom it is about, a review, and the card. Your answers stay in the
        browser tab until you finish; a reload loses nothing.
      </p>
      <h2>You get a confirmation by e-mail</h2>
      <p>
        With the price, the legal information and your right to cancel, before anything is sent to the GRO.
      </p>
      <h2>We submit, then delete</h2>
      <p>
        The application goes to the General Register Office. Once it is there, your certificate details, your
        reference and your signature are deleted within 3 minutes, by destroying the only key that opens them.
        Your order’s page shows a certificate of deletion.
      </p>
      <h2>The GRO posts the certificate to you</h2>
      <p>
        Standard certificates are despatched about 15 working days after the GRO receives the application,
        priority ones on the next working day. Your tracking page names the day.
      </p>
      <p>
        <Link className="button button-primary mt-4" to={pages.order}>
          Start Your Application
        </Link>
      </p>
      <HonestPrice className="mt-8" />
    </ProsePage>
  );
}
