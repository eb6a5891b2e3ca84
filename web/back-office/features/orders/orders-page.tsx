import { useState, useSyncExternalStore } from "react";
import { useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { maySend } from "../../../../contract/request.ts";
import { actOnOrders, listOrders, type OrderLine } from "../../../../contract/staff-orders/list.ts";
import { isStale } from "../../../api/request.ts";
import { answerIn, call } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { adminPages } from "../../paths.ts";
import { Empty, PageTop } from "../../ui/page-parts.tsx";
import { DataTable, type Sort } from "../../ui/tables/data-table.tsx";
import { useChangeAddress } from "../../ui/tables/filter-chips.tsx";
import { useCalmUpdates } from "../../use-updates.ts";
import { type BulkAsked, BulkBar, type BulkResult, BulkResults } from "./bulk-bar.tsx";
import { choiceOf, isNarrowed, OrderSearch, pageOf, type Search } from "./list-query.tsx";
import { ExportButton, ListTools } from "./list-tools.tsx";
import { ListPages, ListWarnings, orderColumns, paymentGroups } from "./order-table.tsx";

const refreshEveryMs = 3_000;

/** The order list. Compliance can read it; staff can also search, export and act on many orders at once. */
export default function OrdersPage() {
  const { role } = useIdentity();
  const [search, setSearch] = useState<Search>(null);
  const isStaff = maySend(role, actOnOrders);
  return (
    <>
      <PageTop title="Orders">{isStaff && <OrderSearch onFound={setSearch} />}</PageTop>
      {search ? (
        <FoundOrders search={search} onClose={() => setSearch(null)} />
      ) : (
        <AllOrders isStaff={isStaff} />
      )}
    </>
  );
}

function AllOrders({ isStaff }: { isStaff: boolean }) {
  const [parameters] = useSearchParams();
  const query = pageOf(parameters);
  const { data, error, isLoading, isValidating, mutate } = useOrders(query);
  const [marked, setMarked] = useState<{ query: string; keys: ReadonlySet<string> }>({
    query,
    keys: new Set(),
  });
  const [asked, setAsked] = useState<BulkAsked | null>(null);
  const [result, setResult] = useState<BulkResult | null>(null);
  useCalmUpdates(["orders"], () => void mutate(), refreshEveryMs);
  const sort = useSort();
  const wide = useRoom();

  const orders = data?.orders ?? [];
  // Only rows that are shown can be selected.
  const selected =
    marked.query === query ? orders.filter(({ orderNumber }) => marked.keys.has(orderNumber)) : [];
  const clear = () => setMarked({ query, keys: new Set() });
  return (
    <>
      <ListTools sort={sort}>{isStaff && <ExportButton query={choiceOf(parameters)} />}</ListTools>
      {result && <BulkResults result={result} onClose={() => setResult(null)} />}
      <ListWarnings
        error={data === undefined ? undefined : error}
        stale={data?.stale ?? false}
        onRetry={() => void mutate()}
      />
      <DataTable<OrderLine>
        caption="Orders"
        columns={orderColumns(wide)}
        rows={orders}
        keyOf={({ orderNumber }) => orderNumber}
        hrefOf={({ orderNumber }) => adminPages.order(orderNumber)}
        selection={
          isStaff
            ? {
                selected: new Set(selected.map(({ orderNumber }) => orderNumber)),
                onChange: (keys) => setMarked({ query, keys }),
              }
            : undefined
        }
        groups={parameters.has("group") ? paymentGroups : undefined}
        sort={sort}
        state={stateOf(data !== undefined, error, isLoading || isValidating)}
        outdated={data !== undefined && data.query !== query}
        empty={<NothingHere narrowed={isNarrowed(parameters)} />}
        failure={error}
        onRetry={() => void mutate()}
      />
      {data && <ListPages next={data.next} previous={data.previous} />}
      {isStaff && (selected.length > 0 || asked) && (
        <BulkBar
          selected={selected}
          asked={asked}
          onAsk={setAsked}
          onClear={clear}
          onDone={(action, outcomes) => {
            setAsked(null);
            setResult({ action, outcomes });
            clear();
            void mutate();
          }}
        />
      )}
    </>
  );
}

function stateOf(hasData: boolean, error: unknown, busy: boolean): "loading" | "ready" | "error" {
  if (hasData) return "ready";
  return error === undefined || busy ? "loading" : "error";
}

/** The sort order is kept in the URL, like the filters. */
function useSort(): Sort {
  const [parameters] = useSearchParams();
  const changeAddress = useChangeAddress();
  return {
    key: parameters.get("sort") ?? "created",
    direction: parameters.get("direction") === "ascending" ? "asc" : "desc",
    onSort: (key, direction) =>
      changeAddress((next) => {
        next.delete("after");
        next.delete("before");
        next.set("sort", key);
        next.set("direction", direction === "asc" ? "ascending" : "descending");
      }),
  };
}

function NothingHere({ narrowed }: { narrowed: boolean }) {
  if (narrowed)
    return <Empty title="No orders match these filters.">Remove a filter above to see more.</Empty>;
  return <Empty title="There are no orders yet.">New orders appear here automatically.</Empty>;
}

function FoundOrders({ search, onClose }: { search: NonNullable<Search>; onClose: () => void }) {
  const { by, found } = search;
  const wide = useRoom();
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3" role="status">
        <p>
          {found.orders.length === 1 && !found.more
            ? "1 order"
            : `${found.orders.length}${found.more ? "+" : ""} orders`}{" "}
          found by {by}.{found.more && <span className="text-muted"> Only the newest are shown.</span>}
        </p>
        <button type="button" className="button button-dense button-outlined" onClick={onClose}>
          Back to the list
        </button>
      </div>
      <DataTable<OrderLine>
        caption="Orders found"
        columns={orderColumns(wide).map(({ sortKey: _, ...column }) => column)}
        rows={found.orders}
        keyOf={({ orderNumber }) => orderNumber}
        hrefOf={({ orderNumber }) => adminPages.order(orderNumber)}
        state="ready"
        empty={
          <Empty title="No orders found.">
            Search by full email address, surname or postcode. Customers can be found from payment until their
            contact data is destroyed.
          </Empty>
        }
      />
    </>
  );
}

/** Wide enough for every column beside the rail. */
const room = matchMedia("(min-width: 76rem)");

const subscribe = (listener: () => void) => {
  room.addEventListener("change", listener);
  return () => room.removeEventListener("change", listener);
};

const useRoom = (): boolean => useSyncExternalStore(subscribe, () => room.matches);

/** `stale`: the list may be slightly behind the log. */
async function getOrders(query: string) {
  const response = await call(listOrders, { query });
  return { ...(await answerIn(listOrders, response)), stale: isStale(response), query };
}

/** A page of the list with its query; the previous page stays while the next loads. */
const useOrders = (query: string) =>
  useSWR([listOrders.path, query], () => getOrders(query), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
