import { Link } from "react-router-dom";
import { mostOrders } from "../../../domain/checkout/shares.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { groFees } from "../../../domain/pricing/price-list.ts";
import {
  cutOffWords,
  despatchWords,
  postWords,
  processingMeaning,
  processingWords,
  submissionWords,
} from "../../../domain/promise/timetable.ts";
import { official, pages } from "../../paths.ts";
import { usePriceList, useSubmittedByHand } from "../../site/config.ts";
import { HonestPrice } from "../../ui/price-notes.tsx";
import { PriceTables } from "../../ui/price-table.tsx";
import { ProsePage } from "./prose-page.tsx";

// What an order costs and what happens to it. Both pages say how long it takes.

/** /pricing: the whole price, its parts, and the official price. */
export function PricingPage() {
  return (
    <ProsePage title="Pricing" lead="One price per copy, including postage. No hidden charges.">
      <HonestPrice />
      <h2>Price breakdown</h2>
      <PriceTables list={usePriceList()} />
      <h2>Ordering directly costs less</h2>
      <p>
        The General Register Office sells the same certificate to anyone for{" "}
        {formatPounds(groFees.feePence.standard)}, or {formatPounds(groFees.feePence.priority)} with priority,
        plus {formatPounds(groFees.searchPence)} if you don’t give a GRO reference. If you are happy to fill
        in its form yourself,{" "}
        <a className="link" href={official.order}>
          order directly
        </a>
        . Its fees are listed on{" "}
        <a className="link" href={official.fees}>
          GOV.UK
        </a>
        .
      </p>
      <h2>How long it takes</h2>
      <Timetable />
      <h2>If something goes wrong</h2>
      <p>
        Until your application has been submitted, you can cancel and get a full refund. You also get a full
        refund if the mistake is ours. If the GRO does not find the record, we refund what it returns to us:
        its fee less {formatPounds(groFees.keptWhenNotFoundPence)}.
      </p>
      <p className="no-print">
        <Link className="button button-primary mt-4" to={pages.order}>
          Start Your Application
        </Link>
      </p>
    </ProsePage>
  );
}

/** /how-it-works: from the first question to the letter box. */
export function HowItWorksPage() {
  const byHand = useSubmittedByHand();
  return (
    <ProsePage title="How it works" lead="What happens to your order, and to your details, step by step.">
      <h2>1. You complete five short steps</h2>
      <p>
        The certificate, who you are, who it is for, a final check, and payment. At the final check you can
        add more certificates: one payment covers up to {mostOrders}. Your answers stay in the browser tab
        until you finish, even if you reload the page. If the event was registered in Scotland or Northern
        Ireland, we direct you to the right office before you pay.
      </p>
      <h2>2. We email you a confirmation</h2>
      <p>
        It includes the price, the legal information and your right to cancel, and we send it before anything
        goes to the GRO. Each certificate has its own order number in it, with a link to that order’s page.
      </p>
      <h2>3. We submit, then delete</h2>
      <p>
        We send your application to the General Register Office {submissionWords(byHand)}. We then delete your
        certificate details, GRO reference and signature within 3 minutes, typically in seconds, by destroying
        the only key that opens them. Your order’s page shows a certificate of deletion.
      </p>
      <h2>4. The GRO posts the certificate to you</h2>
      <p>{cutOffWords} Your order’s page shows the expected dates, and we email you at each stage.</p>
      <h2>How long it takes</h2>
      <Timetable />
      <h2>If there is a problem</h2>
      <p>
        If the GRO has a question, we email you to say so. By then we have deleted your answers, so we ask you
        to enter them again on your order’s page. If the GRO cannot find the record, we refund what it returns
        to us. Until the application is submitted, you can cancel on your order’s page and get a full refund.
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

/** From the payment to the letter box, for both service levels. */
function Timetable() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <ul>
        <li>Submission: {submissionWords(byHand)}.</li>
        <li>Despatch with Standard: {despatchWords.standard}.</li>
        <li>Despatch with Priority: {despatchWords.priority}.</li>
        <li>Arrival by post: usually {postWords} after despatch.</li>
      </ul>
      <p>
        Standard: <Processing level="standard" />. Priority: <Processing level="priority" />.{" "}
        {processingMeaning}
      </p>
    </>
  );
}

/** A range must not break at its hyphen; on a phone the line is too short for it. */
const Processing = ({ level }: { level: "standard" | "priority" }) => (
  <span className="sm:whitespace-nowrap">{processingWords(level)}</span>
);
