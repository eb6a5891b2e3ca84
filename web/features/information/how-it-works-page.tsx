import { Link } from "react-router-dom";
import { cutOffWords, submissionWords } from "../../../domain/promise/timetable.ts";
import { pages } from "../../paths.ts";
import { useSubmittedByHand } from "../../site/config.ts";
import { HonestPrice } from "../../ui/price-notes.tsx";
import { ProsePage, Timetable } from "./prose-page.tsx";

/** /how-it-works: from the first question to the letter box. */
export default function HowItWorksPage() {
  const byHand = useSubmittedByHand();
  return (
    <ProsePage title="How it works" lead="What happens to your order, and to your details, step by step.">
      <h2>1. You complete five short steps</h2>
      <p>
        The certificate, who you are, who it is for, a final check, and payment. Your answers stay in the
        browser tab until you finish, even if you reload the page. If the event was registered in Scotland or
        Northern Ireland, we direct you to the right office before you pay.
      </p>
      <h2>2. We email you a confirmation</h2>
      <p>
        It includes the price, the legal information and your right to cancel, and we send it before anything
        goes to the GRO. Use the order number in it to open your tracking page.
      </p>
      <h2>3. We submit, then delete</h2>
      <p>
        We send your application to the General Register Office {submissionWords(byHand)}. We then delete your
        certificate details, GRO reference and signature within 3 minutes, typically in seconds, by destroying
        the only key that opens them. Your order’s page shows a certificate of deletion.
      </p>
      <h2>4. The GRO posts the certificate to you</h2>
      <p>{cutOffWords} Your tracking page shows the expected dates, and we email you at each stage.</p>
      <h2>How long it takes</h2>
      <Timetable />
      <h2>If there is a problem</h2>
      <p>
        If the GRO has a question, we email it to you. By then we have deleted your answers, so we ask you to
        enter them again. If the GRO cannot find the record, we refund what it returns to us. Until the
        application is submitted, you can cancel on your order’s page and get a full refund.
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
