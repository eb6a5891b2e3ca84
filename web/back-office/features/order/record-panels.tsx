import type { OrderPage, Payment } from "../../../../contract/staff-orders/order-page.ts";
import { Panel } from "../../ui/page-parts.tsx";
import { Money, Status, When } from "../../ui/values.tsx";

/** Payments, submission attempts, emails and jobs of an order. Empty panels are hidden. */
export function RecordPanels({ order }: { order: OrderPage }) {
  return (
    <>
      <PaymentsPanel order={order} />
      <SubmissionsPanel submissions={order.submissions} />
      <MailsPanel mails={order.mails} />
      <JobsPanel jobs={order.jobs} />
    </>
  );
}

const refundTones = { pending: "pending", issued: "fulfilled", failed: "cancelled" } as const;
const refundWords = { pending: "in progress", issued: "made", failed: "failed" } as const;
const isRefundStatus = (status: string): status is keyof typeof refundWords => status in refundWords;

function PaymentsPanel({ order: { payments, proposals } }: { order: OrderPage }) {
  if (payments.length === 0) return null;
  return (
    <Panel title="Payments" className="mt-6">
      <ul className="flex flex-col gap-3">
        {payments.map((payment) => (
          <li key={payment.intentId}>
            <PaymentLines payment={payment} />
          </li>
        ))}
      </ul>
      {proposals.length > 0 && (
        <ul className="mt-3 flex flex-col gap-1">
          {proposals.map(({ proposal, words, proposedBy, status, at }) => (
            <li key={proposal} className="text-13">
              <span className="inline-block first-letter:uppercase">{words}</span>, proposed by{" "}
              {proposedBy.name}, <When at={at} />{" "}
              <Status
                status={status === "open" ? "needs a second person’s approval" : status}
                tone={status === "open" ? "pending" : status === "approved" ? "fulfilled" : "failed"}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function PaymentLines({ payment }: { payment: Payment }) {
  return (
    <>
      <p>
        <Money pence={payment.amountPence} /> {payment.unexpected ? "received when nothing was due" : "paid"}{" "}
        <span className="text-13 text-muted">
          <When at={payment.at} /> · <span className="figures wrap-anywhere">{payment.intentId}</span>
        </span>
      </p>
      {(payment.refunds.length > 0 || payment.disputes.length > 0) && (
        <ul className="mt-1 ml-3 flex flex-col gap-1 border-l border-hairline pl-3 text-13">
          {payment.refunds.map(({ number, way, amountPence, reason, status, at }) => (
            <li key={`${way}-${number}-${at}`}>
              {way === "card" ? "Refund" : "Bank transfer"}
              {number !== null && ` ${number}`}: <Money pence={amountPence} />, {reason}, <When at={at} />{" "}
              {isRefundStatus(status) && (
                <Status
                  status={way === "bankTransfer" && status === "failed" ? "returned" : refundWords[status]}
                  tone={refundTones[status]}
                />
              )}
            </li>
          ))}
          {payment.disputes.map(({ disputeId, amountPence, reason, outcome, openedAt }) => (
            <li key={disputeId}>
              Dispute over <Money pence={amountPence} />: {reason}, <When at={openedAt} />{" "}
              <Status status={outcome ?? "open"} tone={outcome === null ? "cancelled" : "failed"} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SubmissionsPanel({ submissions }: Pick<OrderPage, "submissions">) {
  if (submissions.length === 0) return null;
  return (
    <Panel title="Submissions" className="mt-6">
      <ul className="flex flex-col gap-1.5">
        {submissions.map(({ attempt, channel, startedAt, outcome, at }) => (
          <li key={attempt}>
            Attempt {attempt}, {channel}: {outcome}{" "}
            <span className="text-13 text-muted">
              <When at={at ?? startedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const mailTones = {
  sent: "fulfilled",
  owed: "pending",
  undeliverable: "cancelled",
  returned: "cancelled",
  unwanted: "cancelled",
} as const;
const mailWords = {
  sent: "sent",
  owed: "to be sent",
  undeliverable: "undeliverable",
  returned: "returned",
  unwanted: "unwanted",
} as const;
const isMailResult = (result: string): result is keyof typeof mailWords => result in mailWords;

function MailsPanel({ mails }: Pick<OrderPage, "mails">) {
  if (mails.length === 0) return null;
  return (
    <Panel title="Emails" className="mt-6">
      <ul className="flex flex-col gap-1.5">
        {mails.map(({ template, result, why, at }) => (
          <li key={`${template}-${result}-${at}`} className="flex flex-wrap items-baseline gap-x-2">
            <span className="first-letter:uppercase">{template}</span>
            {isMailResult(result) && <Status status={mailWords[result]} tone={mailTones[result]} />}
            <span className="text-13 text-muted">
              {why !== null && `${why}, `}
              <When at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function JobsPanel({ jobs }: Pick<OrderPage, "jobs">) {
  return (
    <Panel title="Pending tasks" className="mt-6">
      {jobs.length === 0 ? (
        <p className="text-muted">No pending tasks.</p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {jobs.map(({ name, words, dueAt, lookAt, tries }) => (
            <li key={name}>
              <span className="inline-block first-letter:uppercase">{words}</span>{" "}
              <span className="text-13 text-muted">
                due <When at={dueAt} />
                {tries !== null && tries > 0 && `, postponed ${tries === 1 ? "once" : `${tries} times`}`}
                {tries !== null && tries > 0 && lookAt !== null && (
                  <>
                    , next try <When at={lookAt} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
