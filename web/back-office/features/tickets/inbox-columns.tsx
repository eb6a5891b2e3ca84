import { Mail, Undo2 } from "lucide-react";
import type { Inbox, TicketLine } from "../../../../contract/tickets/inbox.ts";
import { categoryInShort } from "../../../../domain/ticket/categories.ts";
import type { Column } from "../../ui/tables/data-table.tsx";
import { TicketClock, TicketStatus, waitedWords } from "../../ui/ticket-clock.tsx";
import { Person, When } from "../../ui/values.tsx";
import type { InboxView } from "./inbox-views.tsx";

const categoryWords: Readonly<Record<string, string>> = categoryInShort;

/** The columns of the inbox. `today` is the date in London, for the days left. */
export function inboxColumns(
  view: InboxView,
  { today, people }: Pick<Inbox, "today" | "people">,
  nowMs: number,
): readonly Column<TicketLine>[] {
  return [
    {
      key: "number",
      header: "Ticket",
      cell: ({ ticketNumber }) => <span className="figures whitespace-nowrap">{ticketNumber}</span>,
    },
    { key: "category", header: "About", cell: ({ category }) => categoryWords[category] ?? category },
    ...(view === "due"
      ? [
          {
            key: "status",
            header: "Status",
            cell: ({ status }: TicketLine) => <TicketStatus status={status} />,
          },
        ]
      : []),
    { key: "since", header: sinceHeader[view], cell: ({ since }) => <Since since={since} nowMs={nowMs} /> },
    { key: "last", header: "Last message", cell: (line) => <LastMessage line={line} /> },
    { key: "clock", header: "Statutory deadline", cell: (line) => <Deadline line={line} today={today} /> },
    {
      key: "assignee",
      header: "Assigned to",
      cell: ({ assignee }) =>
        assignee === null ? (
          <span className="text-muted">no one</span>
        ) : (
          <Person userId={assignee} people={people} />
        ),
    },
    { key: "order", header: "Order", cell: (line) => <OrderOf line={line} /> },
  ];
}

const sinceHeader: Readonly<Record<InboxView, string>> = {
  Open: "Waiting for us",
  Waiting: "Waiting for customer",
  due: "Unchanged for",
  Closed: "Closed",
};

function Since({ since, nowMs }: { since: string; nowMs: number }) {
  return (
    <span className="inline-flex flex-wrap gap-x-2">
      <span className="font-[500] whitespace-nowrap tabular-nums">{waitedWords(since, nowMs)}</span>
      <span className="text-muted max-lg:sr-only">
        <When at={since} />
      </span>
    </span>
  );
}

function LastMessage({ line: { lastMessage, messages, notes, deletedAt } }: { line: TicketLine }) {
  if (deletedAt !== null) return <span className="text-muted italic">destroyed</span>;
  const Icon = lastMessage.author === "customer" ? Mail : Undo2;
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Icon
        aria-hidden="true"
        className="mt-0.5 size-3.5 flex-none self-start text-muted"
        strokeWidth={1.5}
      />
      <span>
        {lastMessage.author === "customer" ? "Customer" : "Ours"}{" "}
        <span className="whitespace-nowrap text-muted tabular-nums md:max-lg:hidden">
          · {messages === 1 ? "1 message" : `${messages} messages`}
          {notes > 0 && (notes === 1 ? ", 1 note" : `, ${notes} notes`)}
        </span>
      </span>
    </span>
  );
}

function Deadline({
  line: { clock, needsOtherAcknowledgement },
  today,
}: {
  line: TicketLine;
  today: string;
}) {
  if (clock === null) return <span className="text-muted">–</span>;
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <TicketClock clock={clock} today={today} />
      {needsOtherAcknowledgement && <span className="font-[500] text-danger">email undelivered</span>}
    </span>
  );
}

function OrderOf({ line: { linked, orderNumber } }: { line: TicketLine }) {
  if (linked) return "linked";
  if (orderNumber === null) return <span className="text-muted">–</span>;
  return <span className="text-muted">unverified</span>;
}
