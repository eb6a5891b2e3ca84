import { type CommandMetadata, Refused } from "../../decider.ts";
import type { OrderCommand } from "../commands.ts";
import { decide } from "../decide.ts";
import { missedMails } from "../mail-rules.ts";
import { bankTransfers, refundablePence, unassignedRefunds } from "../payment/money.ts";
import { unsealed } from "../personal-data/vault-records.ts";
import { type StaffFact, staffCellOf } from "../phases.ts";
import { forbidden, type Rule } from "../rules.ts";
import type { Order, Payment } from "../state.ts";
import { applicationChangeOf } from "../submission/decide-submission.ts";
import { mayStillArrive } from "../submission/submission-window.ts";
import type { Revealable } from "../vocabulary.ts";

/** What staff can do with an order from its page. */
export const staffActions = [
  "addNote",
  "revealApplication",
  "revealContact",
  "revealQuestion",
  "correctContact",
  "sendAgain",
  "amendApplication",
  "startSubmission",
  "recordSubmission",
  "recordSubmissionFailure",
  "recordOutcome",
  "recordDispatch",
  "cancel",
  "fail",
  "refund",
  "assignRefund",
  "recordBankTransfer",
  "recordBankTransferReturn",
  "recordDisputeOutcome",
  "approveProposal",
  "declineProposal",
  "requestErasure",
] as const;
export type StaffAction = (typeof staffActions)[number];

/** A member of staff: opaque id and role. */
interface StaffActor {
  readonly userId: string;
  readonly role: "staff" | "manager" | "compliance";
}

/** An action, and the rule that refuses it now; null when it is allowed. */
interface Offer {
  readonly action: StaffAction;
  readonly refusedBy: string | null;
}

const managersOnly: ReadonlySet<StaffAction> = new Set(["approveProposal", "declineProposal"]);

const factOf: Partial<Readonly<Record<StaffAction, StaffFact>>> = {
  recordSubmission: "RecordSubmission",
  recordSubmissionFailure: "RecordSubmissionFailure",
  recordOutcome: "RecordGROOutcome",
  recordDispatch: "RecordDispatch",
};

const startByHand = ({ attempts }: Order): OrderCommand => ({
  type: "StartSubmission",
  data: { attempt: attempts.count + 1, channel: "manual" },
});

const amending = (order: Order): OrderCommand => ({
  type: applicationChangeOf(order),
  data: { applicationRef: unsealed, groReferenceKnown: false },
});

/** A refund of a penny from a refundable payment, or from the first one. */
function refunding(order: Order): OrderCommand {
  const { payments } = order;
  const paid = payments.find(({ intentId }) => refundablePence(order, intentId) > 0) ?? payments[0];
  const data = { intentId: paid?.intentId ?? "none", amountPence: 1, reason: "staffDecision" as const };
  return { type: "RequestRefund", data: { ...data, approvalAbovePence: null } };
}

/** A penny of a payment whose refund failed, or of the first one. */
function transferring(order: Order): OrderCommand {
  const hasFailed = (intentId: string) =>
    order.refunds.some((refund) => refund.intentId === intentId && refund.status === "failed");
  const isPossible = ({ intentId }: Payment) => hasFailed(intentId) && refundablePence(order, intentId) > 0;
  const paid = order.payments.find(isPossible) ?? order.payments[0];
  const referenceRef = order.vault.contact === null ? null : unsealed;
  const data = { intentId: paid?.intentId ?? "none", amountPence: 1, referenceRef };
  return { type: "RecordBankTransfer", data: { ...data, approvalAbovePence: null } };
}

const openProposal = ({ proposals }: Order): { proposal: number } => ({
  proposal: proposals.find(({ status }) => status === "open")?.proposal ?? proposals.length + 1,
});

const correctContact = (): OrderCommand => ({
  type: "CorrectContact",
  data: { contactRef: unsealed, postal: false, emailChanged: false },
});

/** The command behind an action, with data that only the order's own rules can refuse. */
const commandOf: Readonly<Record<StaffAction, (order: Order, at: string) => OrderCommand>> = {
  addNote: () => ({ type: "AddNote", data: { noteRef: unsealed } }),
  revealApplication: () => reveal("application"),
  revealContact: () => reveal("contact"),
  revealQuestion: () => reveal("question"),
  correctContact,
  sendAgain: correctContact,
  amendApplication: amending,
  startSubmission: startByHand,
  recordSubmission: (order, at) =>
    order.attempts.open
      ? {
          type: "RecordSubmission",
          data: { attempt: order.attempts.open.attempt, groReferenceRef: null, submittedAt: at },
        }
      : startByHand(order),
  recordSubmissionFailure: ({ attempts }) => ({
    type: "RecordSubmissionFailure",
    data: { attempt: attempts.open?.attempt ?? 1, code: "staffConfirmed", certain: true },
  }),
  recordOutcome: ({ outcome }) => ({
    type: "RecordGROOutcome",
    data: {
      attempt: null,
      outcome: outcome?.outcome === "queried" ? "notFound" : "queried",
      questionRef: null,
    },
  }),
  recordDispatch: (_, at) => ({ type: "RecordDispatch", data: { attempt: null, dispatchedAt: at } }),
  cancel: ({ intents }) => ({
    type: "CancelOrder",
    data: { reason: "staffRequest", closedIntentId: intents.open?.intentId ?? null },
  }),
  fail: () => ({ type: "FailOrder", data: { cause: "ours", reason: "serviceError" } }),
  refund: refunding,
  assignRefund: (order) => ({
    type: "RecordRefundOfOthers",
    data: { providerRefundId: unassignedRefunds(order)[0]?.providerRefundId ?? "none" },
  }),
  recordBankTransfer: transferring,
  recordBankTransferReturn: (order) => {
    const made = bankTransfers(order).findLastIndex(({ status }) => status === "issued");
    return {
      type: "RecordBankTransferReturn",
      data: { transfer: made + 1 || bankTransfers(order).length + 1 },
    };
  },
  recordDisputeOutcome: ({ disputes }) => {
    const { disputeId } = disputes.find(({ outcome }) => outcome === null) ?? { disputeId: "none" };
    return { type: "RecordDisputeOutcome", data: { disputeId, outcome: "won", approvalAbovePence: null } };
  },
  approveProposal: (order) => ({ type: "ApproveProposal", data: openProposal(order) }),
  declineProposal: (order) => ({ type: "DeclineProposal", data: openProposal(order) }),
  requestErasure: () => ({ type: "RequestErasure", data: {} }),
};

const reveal = (dataClass: Revealable): OrderCommand => ({
  type: "RevealPersonalData",
  data: { dataClass, reason: "customerAsked" },
});

/**
 * What staff end an attempt with. They ask the GRO, which closes no key: what is still on its way would arrive after
 * all.
 */
const endsAttempt: ReadonlySet<StaffFact> = new Set(["RecordSubmission", "RecordSubmissionFailure"]);

/**
 * Refuses an impossible report by staff: a provider may know better than the log, but a person may mistype.
 * @throws Refused
 */
export function assertStaffMayReport(order: Order, fact: StaffFact, now: string): void {
  const cell = staffCellOf(fact, order.phase);
  if (cell !== "allowed") throw forbidden(order, cell);
  const { open } = order.attempts;
  if (open && endsAttempt.has(fact) && mayStillArrive(open, now)) throw forbidden(order, "attempt-under-way");
}

/** @throws Refused when this person may not take the action now */
export function assertAllowed(order: Order, action: StaffAction, by: StaffActor, now: string): void {
  const mayAct = by.role === "manager" || (by.role === "staff" && !managersOnly.has(action));
  if (!mayAct) throw forbidden(order, "role-needed");
  const fact = factOf[action];
  if (fact) assertStaffMayReport(order, fact, now);
  if (action === "sendAgain" && missedMails(order).length === 0) throw forbidden(order, "nothing-to-do");
  const actor = { kind: "staff", id: by.userId } as const;
  const metadata: CommandMetadata = { commandId: "", at: now, actor, correlationId: "" };
  const events = decide(order, commandOf[action](order, now), metadata);
  if (events.length === 0) throw forbidden(order, idleRuleOf(order, action));
}

/** Why an action would change nothing: the order has already ended that way, or it is already so. */
function idleRuleOf({ phase }: Order, action: StaffAction): Rule {
  if (action === "cancel" && phase === "Cancelled") return "already-cancelled";
  return action === "fail" && phase === "Failed" ? "already-failed" : "nothing-to-do";
}

/** Every action, and whether this person may take it now. The decider is asked, so no rule is written twice. */
export const allowedActions = (order: Order, now: string, by: StaffActor): readonly Offer[] =>
  staffActions.map((action) => ({ action, refusedBy: ruleAgainst(order, action, by, now) }));

function ruleAgainst(order: Order, action: StaffAction, by: StaffActor, now: string): string | null {
  try {
    assertAllowed(order, action, by, now);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.rule;
    throw error;
  }
}
