import { Link, useSearchParams } from "react-router-dom";
import type { Answered } from "../../../../contract/request.ts";
import type { listOrders, OrderLine } from "../../../../contract/staff-orders/list.ts";
import { phaseWords } from "../../../../domain/order/status.ts";
import { ApiError } from "../../../api/problem.ts";
import { queueWords } from "../../layout/work-queues.ts";
import { adminPages } from "../../paths.ts";
import { DuplicateLinks } from "../../ui/duplicate-links.tsx";
import type { Column } from "../../ui/tables/data-table.tsx";
import { Money, Status, When } from "../../ui/values.tsx";
import { pageAt } from "./list-query.tsx";

const None = () => <span className="text-muted">–</span>;

/** `Birth × 2, priority` */
function Certificate({ certificateType, copies, serviceLevel }: OrderLine) {
  if (certificateType === null) return <None />;
  return (
    <>
      <span className="whitespace-nowrap">
        {certificateType} × {copies}
      </span>
      {serviceLevel === "priority" && <span className="text-muted">, priority</span>}
    </>
  );
}

function Waits({ queues, duplicates }: OrderLine) {
  // Hide a badge when a more severe one is shown.
  const shown = queues.filter(
    (queue) =>
      queue !== "notSubmitted" &&
      !(queue === "overdue" && queues.includes("longOverdue")) &&
      !(queue === "purgeDue" && queues.includes("purgeLate")),
  );
  if (shown.length === 0 && duplicates.length === 0) return <None />;
  return (
    <span className="flex flex-wrap items-baseline gap-1">
      {shown.map((queue) => (
        <Status key={queue} status={queueWords[queue].badge} tone={queueWords[queue].tone} />
      ))}
      {duplicates.length > 0 && (
        <>
          <Status status="Possible duplicate" tone="pending" />
          <span className="text-13">
            of <DuplicateLinks duplicates={duplicates} />
          </span>
        </>
      )}
    </span>
  );
}

const day = (at: string | null) => <When at={at} show="day" />;

const all: readonly (Column<OrderLine> & { readonly onlyWide?: true })[] = [
  {
    key: "orderNumber",
    header: "Order",
    cell: ({ orderNumber }) => <span className="figures whitespace-nowrap">{orderNumber}</span>,
  },
  {
    key: "status",
    header: "Status",
    cell: ({ status, phase }) => (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <Status status={status} />
        {phase !== status && <span className="text-muted">{phaseWords(phase)}</span>}
      </span>
    ),
  },
  { key: "certificate", header: "Certificate", cell: Certificate },
  { key: "waits", header: "Needs attention", cell: Waits },
  { key: "despatchBy", header: "Promised", sortKey: "despatch", cell: (line) => day(line.despatchBy) },
  { key: "paidAt", header: "Paid", sortKey: "paid", onlyWide: true, cell: ({ paidAt }) => day(paidAt) },
  {
    key: "createdAt",
    header: "Created",
    sortKey: "created",
    onlyWide: true,
    cell: ({ createdAt }) => day(createdAt),
  },
  {
    key: "updatedAt",
    header: "Updated",
    sortKey: "updated",
    onlyWide: true,
    cell: ({ updatedAt }) => day(updatedAt),
  },
  {
    key: "total",
    header: "Total",
    align: "end",
    sortKey: "total",
    cell: ({ totalPence }) => <Money pence={totalPence} />,
  },
];

/** The columns that fit. The exact time is in a tooltip. */
export const orderColumns = (wide: boolean): readonly Column<OrderLine>[] =>
  all.filter(({ onlyWide }) => wide || !onlyWide);

/** Orders of one payment stand under what they come to. */
export const paymentGroups = {
  keyOf: ({ checkoutId }: OrderLine): string | null => checkoutId,
  heading: (orders: readonly OrderLine[]) => (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span>
        {orders.length} ordered together,{" "}
        <Money pence={orders.reduce((sum, { totalPence }) => sum + totalPence, 0)} />
      </span>
      <Link className="link" to={adminPages.ordersOfCheckout(orders[0]?.checkoutId ?? "")}>
        Show only these
      </Link>
    </span>
  ),
};

interface ListWarningsProps {
  /** Why reloading failed; undefined if it did not. */
  readonly error: unknown;
  /** True when the server says that it is behind. */
  readonly stale: boolean;
  readonly onRetry: () => void;
}

export function ListWarnings({ error, stale, onRetry }: ListWarningsProps) {
  if (error !== undefined) {
    return (
      <div role="alert" className="mb-4 flex flex-wrap items-center gap-3 border-l-3 border-danger pl-3">
        <p>{wordsOf(error)}</p>
        <button type="button" className="button button-dense button-outlined" onClick={onRetry}>
          Try again
        </button>
      </div>
    );
  }
  if (!stale) return null;
  return (
    <p role="status" className="mb-4 border-l-3 border-pending pl-3 text-13">
      The list is slightly out of date and will catch up automatically.
    </p>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 422)
    return `This list cannot be shown: ${error.fields.map(({ message }) => message).join("; ")}. The previous list is shown.`;
  return "The list could not be updated and may be out of date.";
}

/** Cursor paging: new orders do not shift the pages. */
export function ListPages({ next, previous }: Pick<Answered<typeof listOrders>, "next" | "previous">) {
  const [parameters] = useSearchParams();
  if (next === null && previous === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
      {previous !== null && (
        <>
          <Link className="button button-dense button-outlined" to={{ search: pageAt(parameters, null) }}>
            First page
          </Link>
          <Link
            className="button button-dense button-outlined"
            to={{ search: pageAt(parameters, { before: previous }) }}
          >
            Previous page
          </Link>
        </>
      )}
      {next !== null && (
        <Link
          className="button button-dense button-outlined"
          to={{ search: pageAt(parameters, { after: next }) }}
        >
          Next page
        </Link>
      )}
    </nav>
  );
}
