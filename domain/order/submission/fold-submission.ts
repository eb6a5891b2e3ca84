import type { Recorded } from "../../decider.ts";
import { owe } from "../../mailbox.ts";
import type { OrderEventData } from "../events.ts";
import { isHeldBack } from "../mail-rules.ts";
import { awaitsAnswer, supersede, withQuestion } from "../personal-data/vault-records.ts";
import { phasesBeforeSubmission } from "../phases.ts";
import type { Attempts, Folds, Order, Variant } from "../state.ts";

function startAttempt(attempts: Attempts, data: OrderEventData<"SubmissionStarted">, at: string): Attempts {
  return {
    ...attempts,
    count: Math.max(attempts.count, data.attempt),
    automatic: attempts.automatic + (data.channel === "automation" ? 1 : 0),
    firstAt: attempts.firstAt ?? at,
    lastAt: at,
    open: { ...data, startedAt: at, uncertain: 0, heardAt: at },
  };
}

function failAttempt(order: Order, data: OrderEventData<"SubmissionFailed">, at: string): Order {
  const { open } = order.attempts;
  // About another attempt than the open one: known already, or overtaken by what the GRO said.
  if (open?.attempt !== data.attempt) return order;
  if (!data.certain) {
    const doubted = { ...open, uncertain: open.uncertain + 1, heardAt: at };
    return { ...order, attempts: { ...order.attempts, open: doubted } };
  }
  // Its confirmation may have come back meanwhile.
  const next = isHeldBack(order) ? "Paid" : "Confirmed";
  return {
    ...order,
    phase: order.phase === "Submitting" ? next : order.phase,
    attempts: { ...order.attempts, open: null, failedAt: at },
  };
}

function submit(order: Order, data: OrderEventData<"SubmittedToGRO">, recorded: Recorded): Order {
  const { attempt, groReferenceRef, submittedAt } = data;
  const { attempts, vault } = order;
  const moves = phasesBeforeSubmission.includes(order.phase);
  return {
    ...order,
    phase: moves ? "Submitted" : order.phase,
    attempts: {
      ...attempts,
      open: attempts.open?.attempt === attempt ? null : attempts.open,
      received: attempt === null ? attempts.received : [...attempts.received, attempt],
    },
    submission: order.submission ?? { attempt, submittedAt, recordedAt: recorded.at },
    submissions: order.submissions + 1,
    vault: groReferenceRef ? { ...vault, groReferences: [...vault.groReferences, groReferenceRef] } : vault,
    cancellationRequested: moves ? null : order.cancellationRequested,
    mails: moves ? oweSubmissionMail(order, recorded) : order.mails,
  };
}

function oweSubmissionMail(
  { mails, cancellationRequested }: Order,
  { eventId, at }: Recorded,
): Order["mails"] {
  const submitted = owe(mails, "submitted", eventId, at);
  return cancellationRequested ? owe(submitted, "cancellationTooLate", eventId, at) : submitted;
}

/** True when an outcome is about the application that the GRO has now, and not about one replaced since. */
export const isCurrent = ({ submission }: Order, attempt: number | null): boolean =>
  submission !== null && (attempt === null || attempt === submission.attempt);

/** The attempts, reset because none was made with the current application. */
const afresh = (attempts: Attempts): Attempts => ({
  ...attempts,
  automatic: 0,
  firstAt: null,
  lastAt: null,
  failedAt: null,
});

const withFees = (
  variant: Variant | null,
  fees: OrderEventData<"ApplicationAmended">["fees"],
): Variant | null => variant && { ...variant, ...fees };

/** Sending the application to the GRO, and what the GRO says. */
export const submissionFolds: Folds<
  | "SubmissionStarted"
  | "SubmissionFailed"
  | "SubmittedToGRO"
  | "GROOutcomeRecorded"
  | "ApplicationAmended"
  | "ApplicationReplaced"
> = {
  SubmissionStarted: (order, data, { at }) => ({
    ...order,
    phase: "Submitting",
    attempts: startAttempt(order.attempts, data, at),
  }),
  SubmissionFailed: (order, data, { at }) => failAttempt(order, data, at),
  SubmittedToGRO: submit,
  GROOutcomeRecorded: (order, { attempt, outcome, questionRef }, { at, eventId }) => {
    if (order.phase !== "Submitted" || !isCurrent(order, attempt)) return order;
    const vault = questionRef === null ? order.vault : withQuestion(order.vault, questionRef, at);
    // Only its text is new: the customer was told of the question.
    if (questionRef !== null && awaitsAnswer(order)) return { ...order, vault };
    const mails = outcome === "queried" ? owe(order.mails, "groQuestion", eventId, at) : order.mails;
    return { ...order, outcome: { outcome, at }, mails, vault };
  },
  ApplicationAmended: (order, { applicationRef, fees }, { at }) => ({
    ...order,
    variant: withFees(order.variant, fees),
    attempts: afresh(order.attempts),
    vault: supersede(order.vault, "application", applicationRef, at),
  }),
  ApplicationReplaced: (order, { applicationRef, promise, fees }, { at }) => ({
    ...order,
    phase: "Confirmed",
    variant: withFees(order.variant, fees),
    promise: promise ?? order.promise,
    replacedAt: at,
    submission: null,
    outcome: null,
    attempts: afresh(order.attempts),
    vault: supersede(order.vault, "application", applicationRef, at),
  }),
};
