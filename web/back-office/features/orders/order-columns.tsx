import type { OrderLine } from "../../../../contract/staff-orders/list.ts";
import { phaseWords } from "../../../../domain/order/status.ts";
import { queueWords } from "../../ui/queue-words.ts";
import { Status } from "../../ui/status.tsx";
import type { Column } from "../../ui/tables/data-table.tsx";
import { Money, When } from "../../ui/values.tsx";

const none = <span className="text-muted">–</span>;

/** `Birth × 2, priority` */
function Certificate({ certificateType, copies, serviceLevel }: OrderLine) {
  if (certificateType === null) return none;
  return (
    <>
      <span className="whitespace-nowrap">
        {certificateType} × {copies}
      </span>
      {serviceLevel === "priority" && <span className="text-muted">, priority</span>}
    </>
  );
}

function Waits({ queues }: OrderLine) {
  // Hide a badge when a more severe one is shown.
  const shown = queues.filter(
    (queue) =>
      queue !== "notSubmitted" &&
      !(queue === "overdue" && queues.includes("longOverdue")) &&
      !(queue === "purgeDue" && queues.includes("purgeLate")),
  );
  if (shown.length === 0) return none;
  return (
    <span className="flex flex-wrap gap-1">
      {shown.map((queue) => (
        <Status key={queue} status={queueWords[queue].badge} tone={queueWords[queue].tone} />
      ))}
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
  { key: "waits", header: "Pending", cell: Waits },
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
