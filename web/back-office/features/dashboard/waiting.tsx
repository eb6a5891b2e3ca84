import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Dashboard } from "../../../../contract/back-office/overview.ts";
import { listParked } from "../../../../contract/compliance/audit.ts";
import { maySend } from "../../../../contract/roles.ts";
import type { WorkQueue } from "../../../../domain/order/staff/work-queues.ts";
import { useIdentity } from "../../../identity/identity-store.ts";
import { useSubmittedByHand } from "../../../site/config.ts";
import { adminPages } from "../../paths.ts";
import { isCalm, queueWords } from "../../ui/queue-words.ts";

const groups: readonly { readonly title: string; readonly queues: readonly WorkQueue[] }[] = [
  {
    title: "Submission",
    queues: ["notSubmitted", "submissionFailed", "confirmationUndeliverable", "groQuestion", "contradiction"],
  },
  { title: "Promised dates", queues: ["overdue", "longOverdue"] },
  {
    title: "Payments",
    queues: ["refundProposed", "refundFailed", "overRefunded", "disputeOpen", "refundPending"],
  },
  { title: "Personal data", queues: ["purgeLate", "purgeFailed", "purgeDue"] },
];

/** Every queue with its count, linked to its list. */
export function Waiting({ queues, tickets }: Pick<Dashboard, "queues" | "tickets">) {
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
                urgent={!isCalm(name, byHand)}
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
export function Parked({ records }: { records: number }) {
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
