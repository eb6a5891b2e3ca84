import type { CustomerOrder } from "../../../../contract/customers/customers.ts";
import { adminPages } from "../../paths.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Money } from "../../ui/money.tsx";
import { Status } from "../../ui/status.tsx";
import { When } from "../../ui/when.tsx";
import { ErasureAsked } from "./erasure-asked.tsx";
import { HeldLine } from "./held.tsx";

/** A customer's orders, each with what is held of it. */
export function OrdersTable({ orders }: { orders: readonly CustomerOrder[] }) {
  return (
    <DataTable<CustomerOrder>
      caption="Orders of this customer"
      columns={columns}
      rows={orders}
      keyOf={({ orderNumber }) => orderNumber}
      hrefOf={({ orderNumber }) => adminPages.order(orderNumber)}
      state="ready"
      empty={<Empty title="No paid order under this email address." />}
    />
  );
}

const columns: readonly Column<CustomerOrder>[] = [
  {
    key: "number",
    header: "Order",
    cell: ({ orderNumber }) => <span className="figures whitespace-nowrap">{orderNumber}</span>,
  },
  { key: "status", header: "Status", cell: ({ status }) => <Status status={status} /> },
  {
    key: "item",
    header: "Certificate",
    cell: ({ certificateType, copies }) =>
      certificateType === null ? "–" : `${certificateType} × ${copies ?? 1}`,
  },
  { key: "total", header: "Total", align: "end", cell: ({ totalPence }) => <Money pence={totalPence} /> },
  { key: "placed", header: "Placed", cell: ({ createdAt }) => <When at={createdAt} show="day" /> },
  {
    key: "held",
    header: "Held",
    cell: ({ application, contact, erasureRequestedAt }) => (
      <div className="flex max-w-[48ch] flex-col gap-1">
        <HeldLine label="Application" held={application} />
        <HeldLine label="Contact" held={contact} />
        <ErasureAsked at={erasureRequestedAt} />
      </div>
    ),
  },
];
