import { useState } from "react";
import { Link } from "react-router-dom";
import {
  type Customer,
  type FoundCustomers,
  searchCustomers,
} from "../../../../contract/customers/customers.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { adminPages } from "../../paths.ts";
import { Empty, PageTop } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { TicketStatus } from "../../ui/ticket-clock.tsx";
import { Status, When } from "../../ui/values.tsx";
import { type Search, SearchForm, type SearchKind, wrongWith } from "./search-form.tsx";

/** Customer search, for data requests. */
export default function CustomersPage() {
  const { search, change, asked, found, state, failure, refused, run } = useSearch();
  return (
    <>
      <PageTop title="Customers" />
      <SearchForm
        search={search}
        onChange={change}
        onSearch={() => void run()}
        busy={state === "loading"}
        refused={refused}
      />
      <p className="mt-2 mb-4 text-13 text-muted">
        Requests to see, correct or erase personal data arrive as{" "}
        <Link className="link" to={`${adminPages.tickets}?category=dataRequest`}>
          personal data tickets
        </Link>
        .
      </p>
      <p role="status" className="sr-only">
        {state === "ready" && found ? `${found.customers.length} found` : ""}
      </p>
      {state === "none" ? (
        <Empty title="Find a customer">
          An email address finds one person; a surname or postcode finds all matches. Names stay masked until
          you reveal one.
        </Empty>
      ) : (
        <DataTable<Customer>
          caption="Customers found"
          columns={columns}
          rows={found?.customers ?? []}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => adminPages.customer(id)}
          state={state}
          failure={failure}
          empty={<NoMatch by={asked?.by ?? "email"} />}
          onRetry={() => void run()}
        />
      )}
      {state === "ready" && found?.more && (
        <p className="mt-3 text-13 text-muted">
          Only the first results are shown. Search by email address to find one person.
        </p>
      )}
    </>
  );
}

const columns: readonly Column<Customer>[] = [
  { key: "name", header: "Customer", cell: ({ name }) => name ?? "Name destroyed" },
  { key: "email", header: "Email", cell: ({ email }) => email ?? "–" },
  { key: "orders", header: "Orders", cell: Orders },
  { key: "tickets", header: "Tickets", cell: Tickets },
  { key: "newest", header: "Latest", cell: (customer) => <When at={newestOf(customer)} show="day" /> },
];

function Orders({ orders }: Customer) {
  if (orders.length === 0) return <span className="text-muted">none</span>;
  return (
    <ul className="flex flex-col gap-1">
      {orders.slice(0, mostShown).map(({ orderNumber, certificateType, status }) => (
        <li key={orderNumber} className="flex flex-wrap items-center gap-x-2">
          <Link className="link figures" to={adminPages.order(orderNumber)}>
            {orderNumber}
          </Link>
          <span>{certificateType}</span>
          <Status status={status} />
        </li>
      ))}
      <Others count={orders.length - mostShown} />
    </ul>
  );
}

function Tickets({ tickets }: Customer) {
  if (tickets.length === 0) return <span className="text-muted">none</span>;
  return (
    <ul className="flex flex-col gap-1">
      {tickets.slice(0, mostShown).map(({ ticketNumber, status }) => (
        <li key={ticketNumber} className="flex flex-wrap items-center gap-x-2">
          <Link className="link figures" to={adminPages.ticket(ticketNumber)}>
            {ticketNumber}
          </Link>
          <TicketStatus status={status} />
        </li>
      ))}
      <Others count={tickets.length - mostShown} />
    </ul>
  );
}

const mostShown = 3;

function Others({ count }: { count: number }) {
  return count > 0 ? <li className="text-muted">and {count} more</li> : null;
}

const newestOf = ({ orders, tickets, drafts }: Customer): string | null =>
  [
    ...orders.map(({ createdAt }) => createdAt),
    ...tickets.map(({ openedAt }) => openedAt),
    ...drafts.map(({ savedAt }) => savedAt),
  ]
    .sort()
    .at(-1) ?? null;

const hints: Readonly<Record<SearchKind, string>> = {
  email: "Enter the exact address that they ordered with.",
  surname:
    "Accents and capitals don’t matter. For a double-barrelled name, enter its last part or all of it.",
  postcode: "Spaces and capitals don’t matter. Use the postcode their certificate is sent to.",
};

function NoMatch({ by }: { by: SearchKind }) {
  return (
    <Empty title="No customers found.">
      {hints[by]} Customers can be found once they have paid, written to us or saved an order, until their
      contact data is destroyed.
    </Empty>
  );
}

type State = "none" | "loading" | "ready" | "error";

interface LastSearch {
  readonly userId: string | null;
  readonly search: Search;
  /** The search that found `found`; the field may have changed since. */
  readonly asked: Search | null;
  readonly found: FoundCustomers | null;
}

const noSearch = (userId: string | null): LastSearch => ({
  userId,
  search: { by: "email", typed: "" },
  asked: null,
  found: null,
});

/** The current user's last search, in memory only, to restore the list on coming back from a customer. */
let lastSearch: LastSearch = noSearch(null);

/** Customer search. Search terms stay out of the URL and browser storage. */
function useSearch() {
  const { userId } = useIdentity();
  const [current, setCurrent] = useState<LastSearch>(() =>
    lastSearch.userId === userId ? lastSearch : noSearch(userId),
  );
  const [state, setState] = useState<State>(current.found === null ? "none" : "ready");
  const [failure, setFailure] = useState<unknown>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const keep = (next: LastSearch): void => {
    lastSearch = next;
    setCurrent(next);
  };
  const run = async (): Promise<void> => {
    const { search } = current;
    const wrong = wrongWith(search);
    setRefused(wrong);
    if (wrong !== null) return;
    setState("loading");
    try {
      const found = await send(searchCustomers, { body: { by: search.by, typed: search.typed } });
      keep({ userId, search, asked: search, found });
      setState("ready");
    } catch (failure) {
      const words = refusalIn(failure);
      setFailure(failure);
      setRefused(words);
      setState(words === null ? "error" : current.found === null ? "none" : "ready");
    }
  };
  return {
    search: current.search,
    change: (search: Search) => keep({ ...current, search }),
    asked: current.asked,
    found: current.found,
    state,
    failure,
    refused,
    run,
  };
}

/** Why the server rejected the search; null if it did not respond. */
function refusalIn(failure: unknown): string | null {
  if (!(failure instanceof ApiError) || failure.status >= 500) return null;
  if (failure.status === 429) return "Too many searches in a minute. Wait a moment, then search again.";
  return failure.fields[0]?.message ?? failure.detail;
}
