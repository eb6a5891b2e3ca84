import { Mail, Undo2 } from "lucide-react";
import { useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { type Inbox, listTickets, type TicketLine } from "../../../../contract/tickets/ticket.ts";
import { categoryInShort, ticketCategories } from "../../../../domain/ticket/vocabulary.ts";
import { send } from "../../../api/send.ts";
import { queueWords } from "../../layout/work-queues.ts";
import { adminPages } from "../../paths.ts";
import { Empty, PageTop } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { type Filter, FilterChips } from "../../ui/tables/filter-chips.tsx";
import { TicketClock, TicketStatus, waitedWords } from "../../ui/ticket-clock.tsx";
import { Person, Status, When } from "../../ui/values.tsx";
import { useUpdates } from "../../use-updates.ts";
import { type InboxView, InboxViews, Pages, queryOf, viewIn, viewOf } from "./inbox-views.tsx";

const filters: readonly Filter[] = [
  {
    name: "assignee",
    label: "Assigned to",
    choice: [
      { value: "mine", words: "Me" },
      { value: "unassigned", words: "Unassigned" },
    ],
  },
  {
    name: "category",
    label: "About",
    choice: ticketCategories.map(({ id }) => ({ value: id, words: categoryInShort[id] })),
  },
];

/** The inbox. Senders and subjects stay sealed until a ticket is opened. */
export default function TicketsPage() {
  const [parameters] = useSearchParams();
  const query = queryOf(parameters);
  const { data, error, isLoading, mutate } = useTickets(query);
  useUpdates(["tickets"], () => void mutate());
  // Heading and lines change together.
  const view = data === undefined ? viewIn(parameters) : viewOf(data.query);
  const failed = error !== undefined && data === undefined;
  return (
    <>
      <PageTop title="Tickets" />
      <InboxViews counts={data?.counts} />
      <div className="mt-2 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <FilterChips filters={filters} />
        <p className="text-13 text-muted">Names and subjects stay sealed until you open a ticket.</p>
      </div>
      {data !== undefined && data.counts.unreached > 0 && <Unreached count={data.counts.unreached} />}
      <DataTable<TicketLine>
        caption={captions[view]}
        columns={inboxColumns(view, data ?? nothingYet, Date.now())}
        rows={data?.tickets ?? []}
        keyOf={({ ticketNumber }) => ticketNumber}
        hrefOf={({ ticketNumber }) => adminPages.ticket(ticketNumber)}
        state={failed ? "error" : isLoading && data === undefined ? "loading" : "ready"}
        outdated={data !== undefined && data.query !== query}
        empty={<NothingHere view={view} narrowed={filters.some(({ name }) => parameters.has(name))} />}
        failure={error}
        onRetry={() => void mutate()}
      />
      <Pages next={data?.next ?? null} />
    </>
  );
}

/** Before the first answer there are no lines to show. */
const nothingYet = { today: "", people: {} };

const captions: Readonly<Record<InboxView, string>> = {
  Open: "Tickets that need an answer",
  Waiting: "Tickets waiting for the customer",
  due: "Tickets with a statutory deadline",
  Closed: "Closed tickets",
};

function Unreached({ count }: { count: number }) {
  return (
    <p role="status" className="mb-4 border-l-3 border-danger pl-3">
      {count === 1
        ? "The acknowledgement of one complaint was"
        : `The acknowledgements of ${count} complaints were`}{" "}
      not emailed and must be sent by letter or given by telephone: see “not emailed” under Statutory
      deadlines.
    </p>
  );
}

const empties: Readonly<Record<InboxView, string>> = {
  Open: "No tickets need an answer.",
  Waiting: "No tickets are waiting for a customer.",
  due: "No statutory deadlines are running.",
  Closed: "No tickets have been closed yet.",
};

function NothingHere({ view, narrowed }: { view: InboxView; narrowed: boolean }) {
  if (narrowed)
    return <Empty title="No tickets match these filters.">Remove a filter above to see more.</Empty>;
  return <Empty title={empties[view]}>New tickets appear here automatically.</Empty>;
}

/** A page of the inbox with its query; the previous page stays while the next loads. */
const useTickets = (query: string) =>
  useSWR([listTickets.path, query], async () => ({ ...(await send(listTickets, { query })), query }), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });

const categoryWords: Readonly<Record<string, string>> = categoryInShort;

/** The columns of the inbox. `today` is the date in London, for the days left. */
function inboxColumns(
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

function LastMessage({
  line: { lastMessage, messages, notes, undelivered, deletedAt },
}: {
  line: TicketLine;
}) {
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
        {lastMessage.author === "customer" ? "Customer" : "Staff"}{" "}
        <span className="whitespace-nowrap text-muted tabular-nums md:max-lg:hidden">
          · {messages === 1 ? "1 message" : `${messages} messages`}
          {notes > 0 && (notes === 1 ? ", 1 note" : `, ${notes} notes`)}
        </span>{" "}
        {undelivered && <Status status={queueWords.undelivered.badge} tone={queueWords.undelivered.tone} />}
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
      {needsOtherAcknowledgement && <span className="font-[500] text-danger">not emailed</span>}
    </span>
  );
}

function OrderOf({ line: { linked, orderNumber } }: { line: TicketLine }) {
  if (linked) return <span>linked</span>;
  if (orderNumber === null) return <span className="text-muted">–</span>;
  return <span className="text-muted">unverified</span>;
}
