import type { CustomerTicket } from "../../../../contract/customers/customers.ts";
import { ticketCategories } from "../../../../domain/ticket/categories.ts";
import { adminPages } from "../../paths.ts";
import { Empty } from "../../ui/placeholders.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { When } from "../../ui/values.tsx";
import { ErasureRequested } from "./erasure-panel.tsx";
import { HeldLine } from "./held.tsx";

/** A customer's tickets, with the data held for each. Messages stay sealed until a ticket is opened. */
export function TicketsTable({ tickets }: { tickets: readonly CustomerTicket[] }) {
  return (
    <DataTable<CustomerTicket>
      caption="This customer’s tickets"
      columns={columns}
      rows={tickets}
      keyOf={({ ticketNumber }) => ticketNumber}
      hrefOf={({ ticketNumber }) => adminPages.ticket(ticketNumber)}
      state="ready"
      empty={<Empty title="No tickets for this email address." />}
    />
  );
}

const columns: readonly Column<CustomerTicket>[] = [
  {
    key: "number",
    header: "Ticket",
    cell: ({ ticketNumber }) => <span className="figures whitespace-nowrap">{ticketNumber}</span>,
  },
  { key: "status", header: "Status", cell: ({ status }) => status },
  {
    key: "category",
    header: "About",
    cell: ({ category }) => ticketCategories.find(({ id }) => id === category)?.label ?? category,
  },
  {
    key: "order",
    header: "Order",
    cell: ({ linkedOrderNumber }) =>
      linkedOrderNumber === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="figures whitespace-nowrap">{linkedOrderNumber}</span>
      ),
  },
  { key: "opened", header: "Opened", cell: ({ openedAt }) => <When at={openedAt} show="day" /> },
  {
    key: "held",
    header: "Data held",
    cell: ({ texts, erasureRequestedAt }) => (
      <div className="flex max-w-[48ch] flex-col gap-1">
        <HeldLine label="Conversation" held={texts} />
        <ErasureRequested at={erasureRequestedAt} />
      </div>
    ),
  },
];
