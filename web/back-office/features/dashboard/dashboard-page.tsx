import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { Dashboard } from "../../../../contract/back-office/overview.ts";
import { listParked } from "../../../../contract/compliance/audit.ts";
import { maySend } from "../../../../contract/request.ts";
import type { WorkQueue } from "../../../../domain/order/staff/work-queues.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { useSubmittedByHand } from "../../../site/config.ts";
import { clearsAutomatically, queueWords, useDashboard } from "../../layout/work-queues.ts";
import { adminPages } from "../../paths.ts";
import { Empty, NotLoaded, PageTop, Panel, Skeleton } from "../../ui/page-parts.tsx";
import { When } from "../../ui/values.tsx";
import { useCalmUpdates } from "../../use-updates.ts";
import { Charts, ReadModels, Sums } from "./figures.tsx";

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
        <NotLoaded what="The dashboard" failure={error} onRetry={() => void mutate()} />
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

const groups: readonly { readonly title: string; readonly queues: readonly WorkQueue[] }[] = [
  {
    title: "Submission",
    queues: ["notSubmitted", "submissionFailed", "undelivered", "groQuestion", "contradiction"],
  },
  { title: "Promised dates", queues: ["overdue", "longOverdue"] },
  {
    title: "Payments",
    queues: [
      "refundProposed",
      "refundUnassigned",
      "refundFailed",
      "overRefunded",
      "disputeOpen",
      "refundPending",
    ],
  },
  { title: "Personal data", queues: ["purgeLate", "purgeFailed", "purgeDue"] },
];

/** Every queue with its count, linked to its list. */
function Waiting({ queues, tickets }: Pick<Dashboard, "queues" | "tickets">) {
  const byHand = useSubmittedByHand();
  return (
    <div className="-mb-5 gap-x-10 md:columns-2">
      {groups.map(({ title, queues: names }) => (
        <Group key={title} title={title}>
          {names.map((name) => {
            const { count = 0, more = false } = queues.find(({ queue }) => queue === name) ?? {};
            return (
              <Line
                key={name}
                to={adminPages.ordersIn(name)}
                words={queueWords[name].title}
                count={count}
                more={more}
                urgent={!clearsAutomatically(name, byHand)}
              />
            );
          })}
        </Group>
      ))}
      <Group title="Tickets">
        <Line to={adminPages.tickets} words="To answer" count={tickets.open} urgent={false} />
        <Line
          to={`${adminPages.tickets}?assignee=mine`}
          words="To answer, assigned to you"
          count={tickets.mine}
          urgent={false}
        />
        <Line
          to={`${adminPages.tickets}?assignee=unassigned`}
          words="To answer, unassigned"
          count={tickets.unassigned}
          urgent
        />
        <Line
          to={`${adminPages.tickets}?view=due`}
          words={tickets.late > 0 ? `Statutory deadline: ${tickets.late} overdue` : "Statutory deadline"}
          count={tickets.due}
          urgent={tickets.late > 0}
        />
      </Group>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="break-inside-avoid pb-5">
      <h3 className="text-13 text-muted">{title}</h3>
      <ul className="mt-1">{children}</ul>
    </div>
  );
}

interface LineProps {
  readonly to: string;
  readonly words: string;
  readonly count: number;
  readonly more?: boolean;
  readonly urgent: boolean;
}

function Line({ to, words, count, more = false, urgent }: LineProps) {
  const tone = count === 0 ? "text-muted" : urgent ? "font-[600] text-danger" : "font-[600]";
  return (
    <li className="border-t border-hairline">
      <Link to={to} className="group flex min-h-9 items-baseline gap-2 py-1.5">
        <span className="link">{words}</span>
        <span aria-hidden="true" className="min-w-4 flex-1 border-b border-dotted border-field" />
        <span className={`figures ${tone}`}>
          {count.toLocaleString("en-GB")}
          {more && "+"}
          <span className="sr-only"> pending</span>
        </span>
      </Link>
    </li>
  );
}

/** Warns about orders and tickets whose history cannot be read. */
function Parked({ records }: { records: number }) {
  const { role } = useIdentity();
  if (records === 0) return null;
  return (
    <div role="alert" className="mt-4 border-l-3 border-danger pl-4">
      <p className="font-[600] text-danger">
        {records === 1 ? "One order or ticket is" : `${records} orders and tickets are`} parked, on hold until
        the history is repaired.
      </p>
      <p className="mt-1 text-13 text-muted">
        All others are processed as usual.{" "}
        {maySend(role, listParked) ? (
          <Link className="link" to={`${adminPages.compliance}?view=parked`}>
            See details
          </Link>
        ) : (
          "Managers can see details under Compliance."
        )}
      </p>
    </div>
  );
}
