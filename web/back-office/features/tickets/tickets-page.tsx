import { useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { listTickets, type TicketLine } from "../../../../contract/tickets/inbox.ts";
import { categoryInShort, ticketCategories } from "../../../../domain/ticket/categories.ts";
import { send } from "../../../api/send.ts";
import { PageTop } from "../../layout/page-top.tsx";
import { adminPages } from "../../paths.ts";
import { Empty } from "../../ui/placeholders.tsx";
import { DataTable } from "../../ui/tables/data-table.tsx";
import { type Filter, FilterChips } from "../../ui/tables/filter-chips.tsx";
import { useUpdates } from "../../use-updates.ts";
import { inboxColumns } from "./inbox-columns.tsx";
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
      {count === 1 ? "The acknowledgement of one complaint" : `The acknowledgements of ${count} complaints`}{" "}
      could not be emailed and must be sent by letter or given by telephone: see “email undelivered” under
      Statutory deadlines.
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
