import { Link } from "react-router-dom";
import { groFees } from "../../../domain/pricing/fees.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { usePriceList } from "../../api/get-config.ts";
import { official, pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { PriceTables } from "../../ui/price-table.tsx";
import { Timetable } from "../../ui/timetable.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /pricing: the whole price, its parts, and the official price. */
export default function PricingPage() {
  return (
    <ProsePage title="Pricing" lead="One price a copy, postage included. Nothing is added later.">
      <HonestPrice />
      <h2>What goes where</h2>
      <PriceTables list={usePriceList()} />
      <h2>When your own copy is cheaper elsewhere</h2>
      <p>
        The General Register Office sells the same certificate to anyone for{" "}
        {formatPounds(groFees.feePence.standard)}, or {formatPounds(groFees.feePence.priority)} with priority,
        plus {formatPounds(groFees.searchPence)} when you give no GRO reference. If you are happy to fill in
        its form yourself,{" "}
        <a className="link" href={official.order}>
          order there
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
        Before your application has been submitted you can cancel and get everything back. You also get
        everything back when the fault is ours. If the GRO does not find the record, we return what the GRO
        returns to us: its fee less {formatPounds(groFees.keptWhenNotFoundPence)}.
      </p>
      <p className="no-print">
        <Link className="button button-primary mt-4" to={pages.order}>
          Start Your Application
        </Link>
      </p>
    </ProsePage>
  );
}
