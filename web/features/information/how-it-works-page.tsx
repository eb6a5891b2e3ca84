import { Link } from "react-router-dom";
import { cutOffWords, submissionWords } from "../../../domain/promise/timetable.ts";
import { useSubmittedByHand } from "../../api/get-config.ts";
import { pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { Timetable } from "../../ui/timetable.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /how-it-works: from the first question to the letter box. */
export default function HowItWorksPage() {
  const byHand = useSubmittedByHand();
  return (
    <ProsePage title="How it works" lead="What happens to your order, and to your details, step by step.">
      <h2>1. You answer five short steps</h2>
      <p>
        Which certificate, who you are, whom it is about, a review, and the card. Your answers stay in the
        browser tab until you finish; a reload loses nothing. If the event was registered in Scotland or
        Northern Ireland we send you to the right office before you pay.
      </p>
      <h2>2. You get a confirmation by e-mail</h2>
      <p>
        With the price, the legal information and your right to cancel, before anything is sent to the GRO.
        Your order number in it opens your tracking page.
      </p>
      <h2>3. We submit, then delete</h2>
      <p>
        The application goes to the General Register Office {submissionWords(byHand)}. Once it is there, your
        certificate details, your reference and your signature are destroyed: within 3 minutes, typically in
        seconds, by destroying the only key that opens them. Your order’s page shows a certificate of
        deletion.
      </p>
      <h2>4. The GRO posts the certificate to you</h2>
      <p>{cutOffWords} Your tracking page names the days, and we write to you at each change.</p>
      <h2>How long it takes</h2>
      <Timetable />
      <h2>If something does not fit</h2>
      <p>
        When the GRO has a question we pass it on by e-mail: what you first typed is already destroyed, so we
        ask you for it again. When it cannot find the record, you get back what the GRO returns to us. Until
        the application is submitted you can cancel by yourself, on your order’s page, with a full refund.
      </p>
      <p className="no-print">
        <Link className="button button-primary mt-4" to={pages.order}>
          Start Your Application
        </Link>
      </p>
      <HonestPrice className="mt-8" />
    </ProsePage>
  );
}
