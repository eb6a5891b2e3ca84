import { useState } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { addressOf } from "../../../../contract/request.ts";
import {
  type OrderPage as Order,
  printApplication,
  showOrderPage,
  showTimeline,
} from "../../../../contract/staff-orders/order-page.ts";
import { ApiError } from "../../../api/problem.ts";
import { call, saveFile, send } from "../../../api/send.ts";
import { useKeys } from "../../layout/shortcuts.tsx";
import { adminPages } from "../../paths.ts";
import { Empty, NotLoaded, PageTop, Panel, Skeleton } from "../../ui/page-parts.tsx";
import { Status } from "../../ui/values.tsx";
import { useUpdates } from "../../use-updates.ts";
import { type ActingOn, AllowedActions } from "./actions/allowed-actions.tsx";
import { AmendApplication } from "./actions/amend-application.tsx";
import { Duplicates } from "./actions/duplicates.tsx";
import { oneAtATime } from "./one-at-a-time.ts";
import { OrderedTogether } from "./ordered-together.tsx";
import { PersonalPanels } from "./personal-data/personal-panels.tsx";
import { RevealDialog, type Reveals, useReveals } from "./personal-data/reveals.tsx";
import { RecordPanels } from "./record-panels.tsx";
import { StatePanel, timelineOf } from "./timeline/state-panel.tsx";
import { KindKey, Scrubber, Timeline } from "./timeline/timeline.tsx";

const list = { to: adminPages.orders, words: "Orders" } as const;

/** State and actions on the left, timeline on the right. */
export default function OrderPage() {
  const { orderNumber = "" } = useParams();
  // Remount for another order: nothing revealed or typed may carry over.
  return <LoadedOrder key={orderNumber} orderNumber={orderNumber} />;
}

function LoadedOrder({ orderNumber }: { orderNumber: string }) {
  const { known, failure, refresh } = useOrder(orderNumber);
  const reveals = useReveals(orderNumber, known?.entries ?? [], refresh);
  const [query, setQuery] = useSearchParams();
  if (known && query.has("amend")) {
    return (
      <AmendApplication
        {...known}
        refresh={refresh}
        reveals={reveals}
        onDone={() => setQuery({}, { replace: true })}
      />
    );
  }
  return (
    <>
      <PageTop
        title={`Order ${orderNumber}`}
        heading={<span className="figures">{known?.order.orderNumber ?? orderNumber}</span>}
        from={list}
      >
        {known && <Badges order={known.order} />}
      </PageTop>
      {known ? (
        <Columns {...known} refresh={refresh} reveals={reveals} onAmend={() => setQuery({ amend: "" })} />
      ) : failure ? (
        <NotShown failure={failure} onRetry={() => void refresh()} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Badges({ order }: { order: Order }) {
  return (
    <>
      <Status status={order.status} />
      {order.tasks.map(({ task, words }) => (
        <Status key={task} status={words.split(":")[0] ?? words} tone="pending" />
      ))}
      {order.duplicates.length > 0 && <Status status="Possible duplicate" tone="pending" />}
    </>
  );
}

interface ColumnsProps extends ActingOn {
  readonly reveals: Reveals;
  readonly onAmend: () => void;
}

function Columns({ order, entries, refresh, reveals, onAmend }: ColumnsProps) {
  const { asOf, isNow, select } = useAsOf(entries.length - 1);
  const [printing, setPrinting] = useState(false);
  useKeys([
    { key: "j", words: "Previous event", run: () => select(Math.max(0, asOf - 1)) },
    { key: "k", words: "Next event", run: () => select(Math.min(entries.length - 1, asOf + 1)) },
  ]);
  const acting = { order, entries, refresh, contact: reveals.contact?.data.contact ?? null };
  return (
    <div className="grid gap-x-9 gap-y-8 lg:grid-cols-[minmax(18rem,22.5rem)_minmax(0,1fr)]">
      <div className="min-w-0">
        {isNow && <Duplicates {...acting} />}
        <StatePanel order={order} asOf={isNow ? null : asOf} />
        {isNow && <OrderedTogether order={order} />}
        <AllowedActions
          {...acting}
          isNow={isNow}
          onNow={() => select(null)}
          onAmend={onAmend}
          onPrint={() => setPrinting(true)}
        />
        {isNow && (
          <>
            <PersonalPanels order={order} reveals={reveals} />
            <RecordPanels order={order} />
          </>
        )}
        {printing && <PrintDialog order={order} refresh={refresh} onClose={() => setPrinting(false)} />}
      </div>
      <Panel title="Timeline" actions={<KindKey />} className="min-w-0">
        <Scrubber entries={entries} asOf={asOf} onSelect={select} />
        <Timeline entries={entries} asOf={asOf} onSelect={select} />
      </Panel>
    </div>
  );
}

function PrintDialog({
  order,
  refresh,
  onClose,
}: Pick<ColumnsProps, "order" | "refresh"> & { onClose: () => void }) {
  return (
    <RevealDialog
      title="Application form for the GRO"
      what="We create the completed form now and keep no copy. It contains the application and the contact data: destroy your copy once the GRO has the application."
      confirmLabel="Create PDF"
      onReveal={async (reason) => {
        const asked = { params: { orderNumber: order.orderNumber }, body: { reason } };
        await saveFile(await call(printApplication, asked).finally(refresh));
      }}
      onClose={onClose}
    />
  );
}

function NotShown({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  if (failure instanceof ApiError && failure.status === 404) {
    return (
      <Empty title="There is no order with this number.">
        Check the order number, or choose the order from the list.
      </Empty>
    );
  }
  return <NotLoaded what="The order" failure={failure} onRetry={onRetry} />;
}

function Loading() {
  return (
    <div className="grid gap-x-9 gap-y-8 lg:grid-cols-[minmax(18rem,22.5rem)_minmax(0,1fr)]">
      <Skeleton lines={10} label="Loading the order" />
      <Skeleton lines={12} />
    </div>
  );
}

const fresh = { revalidateIfStale: true };

/** An order with its timeline, reloaded on each change. */
function useOrder(orderNumber: string) {
  const params = { orderNumber };
  const page = useSWR(addressOf(showOrderPage, params), () => send(showOrderPage, { params }), fresh);
  const timeline = useSWR(addressOf(showTimeline, params), () => timelineOf(orderNumber), fresh);
  const [refresh] = useState(() =>
    oneAtATime(async (): Promise<number | undefined> => {
      const [now] = await Promise.all([page.mutate(), timeline.mutate()]);
      return now?.revision;
    }),
  );
  const { orderId, duplicates = [], orderedTogether } = page.data ?? {};
  const others = [...duplicates, ...(orderedTogether?.orders ?? [])];
  useUpdates(["orders"], ({ key }) => {
    // SWR keeps the error, and the page shows it.
    if (key === null || key === orderId || others.some(({ id }) => id === key))
      refresh().catch(() => undefined);
  });
  const entries = timeline.data?.entries;
  // The two answers may differ in revision: show the older one.
  const known =
    page.data && entries ? { order: page.data, entries: entries.slice(0, page.data.revision + 1) } : null;
  return { known, failure: page.error ?? timeline.error, refresh };
}

/** The event shown: the latest, or a chosen one. */
function useAsOf(last: number) {
  const [chosen, setChosen] = useState<number | null>(null);
  const select = (revision: number | null): void => setChosen(revision === last ? null : revision);
  return { asOf: chosen === null ? last : Math.min(chosen, last), isNow: chosen === null, select };
}
