import { Fragment } from "react";
import { Link } from "react-router-dom";
import type { PossibleDuplicates } from "../../../contract/shapes.ts";
import { adminPages } from "../paths.ts";
import { When } from "./values.tsx";

/** '7K3M-9QXT-2BWHE, paid 20 Nov 2026, 14:32', with links to the orders. */
export function DuplicateLinks({ duplicates }: { duplicates: PossibleDuplicates }) {
  return duplicates.map(({ orderNumber, paidAt }, at) => (
    <Fragment key={orderNumber}>
      {at > 0 && "; "}
      <Link translate="no" className="link figures whitespace-nowrap" to={adminPages.order(orderNumber)}>
        {orderNumber}
      </Link>
      , paid <When at={paidAt} />
    </Fragment>
  ));
}
