import { Link, useParams } from "react-router-dom";
import useSWR from "swr";
import {
  type Customer,
  type CustomerOrder,
  type CustomerTicket,
  showCustomer,
} from "../../../../contract/customers/customers.ts";
import { addressOf } from "../../../../contract/request.ts";
import type { Held } from "../../../../domain/order/personal-data/held-data.ts";
import { heldSentence } from "../../../../domain/order/personal-data/held-words.ts";
import type { PurgeRule } from "../../../../domain/order/vocabulary.ts";
import { type TicketPurgeRule, ticketCategories } from "../../../../domain/ticket/vocabulary.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { londonDay } from "../../../ui/dates.ts";
import { adminPages } from "../../paths.ts";
import { Empty, NotLoaded, PageTop, Panel, Skeleton } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { TicketStatus } from "../../ui/ticket-clock.tsx";
import { Money, Status, When } from "../../ui/values.tsx";
import { useUpdates } from "../../use-updates.ts";
import { AccountPanel, WhoPanel } from "./access-panels.tsx";
import { ErasurePanel, ErasureRequested } from "./erasure-panel.tsx";

/** A customer's data, why and how long it is held, and their data requests. */
export default function CustomerPage() {
  const { id = "" } = useParams();
  const { data, error, mutate } = useCustomer(id);
  useUpdates(["orders", "tickets", "drafts"], ({ key }) => {
    if (key === null || data === undefined || isTheirs(data, key)) void mutate();
  });
  const gone = error instanceof ApiError && error.status === 404;
  const name = gone ? undefined : data?.name;
  return (
    <>
      <PageTop title={name ?? "Customer"} from={{ to: adminPages.customers, words: "Customers" }} />
      {gone ? (
        <NothingHeld />
      ) : data ? (
        <Everything
          customer={data}
          onRevealed={() => void mutate()}
          onErased={({ orders, tickets, drafts }) =>
            void mutate({ ...data, orders, tickets, drafts }, { revalidate: false })
          }
        />
      ) : error ? (
        <NotLoaded what="This customer" failure={error} onRetry={() => void mutate()} />
      ) : (
        <Loading />
      )}
    </>
  );
}

const isTheirs = ({ orders, tickets, drafts }: Customer, key: string): boolean =>
  [...orders, ...tickets, ...drafts].some(({ id }) => id === key);

const threeColumns = "grid gap-x-10 gap-y-6 lg:grid-cols-3";

interface EverythingProps {
  readonly customer: Customer;
  readonly onRevealed: () => void;
  readonly onErased: (customer: Customer) => void;
}

function Everything({ customer, onRevealed, onErased }: EverythingProps) {
  return (
    <>
      <div className={threeColumns}>
        <WhoPanel customer={customer} onRevealed={onRevealed} />
        <AccountPanel customer={customer} onRevealed={onRevealed} />
        <ErasurePanel customer={customer} onErased={onErased} />
      </div>
      <Panel title="Orders" className="mt-8">
        <OrdersTable orders={customer.orders} />
      </Panel>
      <Panel title="Tickets" className="mt-8">
        <TicketsTable tickets={customer.tickets} />
      </Panel>
      {customer.drafts.length > 0 && (
        <Panel title="Unfinished orders" className="mt-8">
          <SavedDrafts drafts={customer.drafts} />
        </Panel>
      )}
      {customer.more && (
        <p className="mt-3 text-13 text-muted">
          Not all data is shown here. Exports include everything that can be read.
        </p>
      )}
    </>
  );
}

function NothingHeld() {
  return (
    <Empty title="No customer record found.">
      The web address is wrong, or everything we held about this person has been destroyed.{" "}
      <Link className="link" to={adminPages.customers}>
        Search for customers
      </Link>
    </Empty>
  );
}

function Loading() {
  return (
    <>
      <div className={threeColumns}>
        <Skeleton lines={5} label="Loading the customer" />
        <Skeleton lines={5} />
        <Skeleton lines={5} />
      </div>
      <div className="mt-8">
        <Skeleton lines={8} />
      </div>
    </>
  );
}

/** Fails with 404 once all their data has been destroyed. */
const useCustomer = (id: string) =>
  useSWR(addressOf(showCustomer, { id }), () => send(showCustomer, { params: { id } }));

/** A customer's orders, with the data held for each. */
function OrdersTable({ orders }: { orders: readonly CustomerOrder[] }) {
  return (
    <DataTable<CustomerOrder>
      caption="This customer’s orders"
      columns={orderColumns}
      rows={orders}
      keyOf={({ orderNumber }) => orderNumber}
      hrefOf={({ orderNumber }) => adminPages.order(orderNumber)}
      state="ready"
      empty={<Empty title="No paid orders for this email address." />}
    />
  );
}

const orderColumns: readonly Column<CustomerOrder>[] = [
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
    header: "Data held",
    cell: ({ application, contact, erasureRequestedAt }) => (
      <div className="flex max-w-[48ch] flex-col gap-1">
        <HeldLine label="Application" held={application} />
        <HeldLine label="Contact" held={contact} />
        <ErasureRequested at={erasureRequestedAt} />
      </div>
    ),
  },
];

/** A customer's tickets, with the data held for each. Messages stay sealed until a ticket is opened. */
function TicketsTable({ tickets }: { tickets: readonly CustomerTicket[] }) {
  return (
    <DataTable<CustomerTicket>
      caption="This customer’s tickets"
      columns={ticketColumns}
      rows={tickets}
      keyOf={({ ticketNumber }) => ticketNumber}
      hrefOf={({ ticketNumber }) => adminPages.ticket(ticketNumber)}
      state="ready"
      empty={<Empty title="No tickets for this email address." />}
    />
  );
}

const ticketColumns: readonly Column<CustomerTicket>[] = [
  {
    key: "number",
    header: "Ticket",
    cell: ({ ticketNumber }) => <span className="figures whitespace-nowrap">{ticketNumber}</span>,
  },
  { key: "status", header: "Status", cell: ({ status }) => <TicketStatus status={status} /> },
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

interface HeldLineProps {
  /** "Application", "Contact". */
  readonly label: string;
  readonly held: Held<PurgeRule | TicketPurgeRule>;
}

/** Whether data of a class is held, until when, and which rule destroys it. */
function HeldLine({ label, held }: HeldLineProps) {
  const over = held.state === "destroyed" || held.state === "none";
  return (
    <p className={over ? "text-muted" : undefined}>
      <span className="font-[500]">{label}.</span> {heldSentence(held, londonDay)}
    </p>
  );
}

/** Saved by the customer, to finish later. */
function SavedDrafts({ drafts }: Pick<Customer, "drafts">) {
  return (
    <ul className="flex flex-col gap-1">
      {drafts.map(({ id, savedAt, expiresAt, endedAt }) => (
        <li key={id}>
          Saved <When at={savedAt} />.{" "}
          {endedAt === null ? (
            <>
              Destroyed <When at={expiresAt} /> at the latest.
            </>
          ) : (
            <>
              Ended <When at={endedAt} />, and is destroyed within minutes.
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
