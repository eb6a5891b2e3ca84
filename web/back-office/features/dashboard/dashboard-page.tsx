import { Link, useSearchParams } from "react-router-dom";
import type { Dashboard } from "../../../../contract/back-office/overview.ts";
import { PageTop } from "../../layout/page-top.tsx";
import { useDashboard } from "../../layout/use-waiting.ts";
import { Panel } from "../../ui/panel.tsx";
import { Empty, NotLoaded, Skeleton } from "../../ui/placeholders.tsx";
import { When } from "../../ui/values.tsx";
import { useCalmUpdates } from "../../use-updates.ts";
import { Charts, ReadModels, Sums } from "./figures.tsx";
import { Parked, Waiting } from "./waiting.tsx";

const spans = [30, 90, 365] as const;
const refreshEveryMs = 5_000;

export default function DashboardPage() {
  const [parameters] = useSearchParams();
  const days = spans.find((span) => String(span) === parameters.get("days")) ?? 30;
  const { data, error, mutate } = useDashboard(days);
  useCalmUpdates(["orders", "tickets", "health"], () => void mutate(), refreshEveryMs);
  return (
    <>
      <PageTop title="Dashboard">
        {data && (
          <span className="text-13 text-muted">
            as at <When at={data.asOf} show="time" />
          </span>
        )}
      </PageTop>
      {data && error !== undefined && <NotRefreshed onRetry={() => void mutate()} />}
      {data ? (
        <Everything dashboard={data} days={days} />
      ) : error === undefined ? (
        <Loading />
      ) : (
        <NotLoaded what="The dashboard" onRetry={() => void mutate()} />
      )}
    </>
  );
}

function Everything({ dashboard, days }: { dashboard: Dashboard; days: number }) {
  const { queues, tickets, readModels, parkedRecords, all } = dashboard;
  const isNew = all.created === 0 && all.paid === 0;
  return (
    <div className="flex flex-col gap-10">
      <Panel title="Needs attention">
        <Waiting queues={queues} tickets={tickets} />
      </Panel>
      <Panel title="System status">
        <ReadModels readModels={readModels} />
        <Parked records={parkedRecords} />
      </Panel>
      <Panel title="Performance" actions={<Spans days={days} />}>
        {isNew ? (
          <Empty title="No orders in this period.">Figures appear here once the first order is placed.</Empty>
        ) : (
          <div className="flex flex-col gap-8">
            <Sums all={all} />
            <Charts days={dashboard.days} />
          </div>
        )}
      </Panel>
    </div>
  );
}

function Spans({ days }: { days: number }) {
  return (
    <nav aria-label="Period" className="flex flex-wrap gap-1">
      {spans.map((span) => (
        <Link
          key={span}
          to={{ search: span === 30 ? "" : `days=${span}` }}
          aria-current={span === days ? "page" : undefined}
          className="rail-link text-13"
        >
          {span} days
        </Link>
      ))}
    </nav>
  );
}

function Loading() {
  return (
    <div className="flex flex-col gap-10">
      <Panel title="Needs attention">
        <Skeleton lines={9} label="Loading the dashboard" />
      </Panel>
      <Panel title="Performance">
        <Skeleton lines={9} />
      </Panel>
    </div>
  );
}

function NotRefreshed({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="status" className="mb-4 flex flex-wrap items-center gap-3 border-l-3 border-pending pl-3">
      The dashboard could not be updated. These figures are from the time shown above.
      <button type="button" className="button button-dense button-quiet" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
