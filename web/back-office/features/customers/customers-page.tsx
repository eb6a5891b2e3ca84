import { Link } from "react-router-dom";
import type { Customer } from "../../../../contract/customers/customers.ts";
import { PageTop } from "../../layout/page-top.tsx";
import { adminPages } from "../../paths.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Status } from "../../ui/status.tsx";
import { When } from "../../ui/when.tsx";
import { SearchForm, type SearchKind } from "./search-form.tsx";
import { useSearch } from "./use-search.ts";

/** Finds people: the way to what is held of somebody, and to what they may ask for. */
export default function CustomersPage() {
  const { search, change, asked, found, state, refused, run } = useSearch();
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
        What people want to know, corrected or erased arrives as{" "}
        <Link className="link" to={`${adminPages.tickets}?category=dataRequest`}>
          tickets about personal data
        </Link>
        .
      </p>
      <p role="status" className="sr-only">
        {state === "ready" && found ? `${found.customers.length} found` : ""}
      </p>
      {state === "none" ? (
        <Empty title="Whom do you look for?">
          An email address finds one person; surname and postcode find everybody who may be meant. Names stay
          masked until you reveal one.
        </Empty>
      ) : (
        <DataTable<Customer>
          caption="Customers found"
          columns={columns}
          rows={found?.customers ?? []}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => adminPages.customer(id)}
          state={state}
          empty={<Nobody by={asked?.by ?? "email"} />}
          onRetry={() => void run()}
        />
      )}
      {state === "ready" && found?.more && (
        <p className="mt-3 text-13 text-muted">
          There are more than are shown. Search by email address to find one of them.
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
  { key: "newest", header: "Newest", cell: (customer) => <When at={newestOf(customer)} show="day" /> },
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
          <span className="text-muted">{status}</span>
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

const newestOf = ({ orders, tickets }: Customer): string | null =>
  [...orders.map(({ createdAt }) => createdAt), ...tickets.map(({ openedAt }) => openedAt)].sort().at(-1) ??
  null;

const hints: Readonly<Record<SearchKind, string>> = {
  email: "Only the very address finds them: ask which one they ordered with.",
  surname: "Accents and case do not matter. A double name is found under its last part, and under the whole.",
  postcode: "Spaces and case do not matter. It is the address their certificate goes to.",
};

function Nobody({ by }: { by: SearchKind }) {
  return (
    <Empty title="Nobody is found by this.">
      {hints[by]} People are found once they paid or wrote to us, and no longer once their contact data was
      destroyed.
    </Empty>
  );
}
