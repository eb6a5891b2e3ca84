import { PageHeading } from "../../ui/page-heading.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { TrackedOrderView } from "./tracked-order-view.tsx";
import { useLookup } from "./use-lookup.ts";

/** /lookup: one field, and the order it finds. */
export default function LookupPage() {
  const { result, search, linked } = useLookup();
  const order = result.state === "found" ? result.order : result.state === "searching" ? result.order : null;
  return (
    <div className="page-width py-12">
      <div className="no-print">
        <PageHeading title="Look Up Your Order">Look Up Your Order</PageHeading>
        <LookupForm searching={result.state === "searching"} initial={linked ?? ""} onSearch={search} />
      </div>
      {result.state === "unreachable" && (
        <div
          role="alert"
          className="mt-8 max-w-form rounded-4 border border-l-4 border-danger bg-surface p-5"
        >
          <p className="font-[600]">We could not look just now</p>
          <p className="mt-1">
            Something went wrong on our end, or the connection was lost. Your order is not affected.
          </p>
          <button
            type="button"
            className="button button-outlined mt-4"
            onClick={() => void search(result.orderNumber)}
          >
            Try Again
          </button>
        </div>
      )}
      {order && <TrackedOrderView order={order} onChanged={() => void search(order.orderNumber)} />}
    </div>
  );
}
