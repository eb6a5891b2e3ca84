import { Link } from "react-router-dom";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { groFees } from "../../../domain/pricing/price-list.ts";
import { official, pages } from "../../paths.ts";
import { usePriceList } from "../../site/config.ts";
import { HonestPrice } from "../../ui/price-notes.tsx";
import { PriceTables } from "../../ui/price-table.tsx";
import { ProsePage, Timetable } from "./prose-page.tsx";

/** /pricing: the whole price, its parts, and the official price. */
export default function PricingPage() {
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
