import { addSeconds, before } from "../../instant.ts";
import { isNewBounce, isNewResult } from "../../mailbox.ts";
import { feePerCopyOf } from "../../pricing/price-list.ts";
import { promiseOf } from "../../promise/timetable.ts";
import type { OrderCommandData } from "../commands.ts";
import type { OrderEvent, OrderEventData } from "../events.ts";
import { orderMailRules } from "../mail-rules.ts";
import { submissionKeyOf } from "../payment/provider-keys.ts";
import { cellOf, isUnpaid, phasesBeforeSubmission } from "../phases.ts";
import { assertFresh, type Decisions, forbidden } from "../rules.ts";
import type { Order, Variant } from "../state.ts";
import { isCurrent } from "./fold-submission.ts";
import { isExhausted } from "./submission-window.ts";

/**
 * The attempt that a report is about: the named one, else the open one, else the one the GRO has. Null when it is none
 * of ours.
 */
function attemptOf({ attempts, submission }: Order, named: number | null): number | null {
  if (named === null) return attempts.open?.attempt ?? submission?.attempt ?? null;
  return named <= attempts.count ? named : null;
}

const isReceived = ({ attempts, submission }: Order, attempt: number | null): boolean =>
  attempt === null ? submission !== null : attempts.received.includes(attempt);

/** An answer about an attempt proves that the GRO has it, even without a report of the submission itself. */
function proofOf(order: Order, attempt: number | null, submittedAt: string): OrderEvent[] {
  if (attempt === null || isReceived(order, attempt)) return [];
  return [{ type: "SubmittedToGRO", data: { attempt, groReferenceRef: null, submittedAt } }];
}

/**
 * Whether the text of an outcome is kept: when it asks about the application that the GRO has, and the order goes on
 * once that is answered. Ask before sealing it.
 */
export function keepsQuestion(
  order: Order,
  { attempt: named, outcome }: Pick<OrderCommandData<"RecordGROOutcome">, "attempt" | "outcome">,
): boolean {
  if (outcome !== "queried") return false;
  const attempt = attemptOf(order, named);
  if (order.submission !== null) return order.phase === "Submitted" && isCurrent(order, attempt);
  // It proves the submission.
  return phasesBeforeSubmission.includes(order.phase) && attempt !== null && !isReceived(order, attempt);
}

/** A certain failure lets a waiting cancellation take effect. */
function cancellationAfter(
  order: Order,
  { attempt, certain }: OrderCommandData<"RecordSubmissionFailure">,
): OrderEvent[] {
  const asked = order.cancellationRequested;
  if (!certain || !asked || order.phase !== "Submitting" || order.attempts.open?.attempt !== attempt)
    return [];
  return [{ type: "OrderCancelled", data: { reason: asked.reason, by: asked.by } }];
}

function assertAmendable(order: Order): void {
  if (order.submissions > 0) throw forbidden(order, "already-submitted");
  if (order.vault.application === null) throw forbidden(order, "variant-missing");
}

function assertReplaceable(order: Order): void {
  if (!isQueried(order)) throw forbidden(order, "not-queried");
  const isGone = order.vault.application === null && !order.purges.application.open;
  if (!isGone) throw forbidden(order, "purge-pending");
}

/** What entering an application again means: the answer to a question of the GRO, or an amendment. */
export const applicationChangeOf = (order: Order): "ReplaceApplication" | "AmendApplication" =>
  isQueried(order) ? "ReplaceApplication" : "AmendApplication";

const isQueried = ({ outcome }: Order): boolean => outcome?.outcome === "queried";

/** @throws Refused when the order cannot take another application now */
export function assertTakesApplication(order: Order): void {
  const change = applicationChangeOf(order);
  const cell = cellOf(change, order.phase);
  if (cell !== "allowed") throw forbidden(order, cell);
  if (change === "AmendApplication") assertAmendable(order);
  else assertReplaceable(order);
}

/**
 * The fees of another application, if only one of the two has a reference. The price stays: our fee gains the search fee
 * that an added reference saves, and bears that of a removed one.
 */
function newFees(
  variant: Variant | null,
  groReferenceKnown: boolean,
): OrderEventData<"ApplicationAmended">["fees"] {
  if (variant === null || groReferenceKnown === variant.groReferenceKnown) return null;
  const { unitPricePence, serviceLevel } = variant;
  return { groReferenceKnown, feePerCopy: feePerCopyOf(unitPricePence, serviceLevel, groReferenceKnown) };
}

/** Sending the application, and the outcome. */
export const submissionDecisions: Decisions<
  | "StartSubmission"
  | "RecordSubmission"
  | "RecordSubmissionFailure"
  | "RecordGROOutcome"
  | "AmendApplication"
  | "ReplaceApplication"
  | "RecordDispatch"
> = {
  StartSubmission(order, { attempt, channel }, { at }) {
    const next = order.attempts.count + 1;
    if (attempt !== next) throw forbidden(order, "wrong-attempt", { attempt: next });
    if (channel === "automation" && isExhausted(order.attempts, at))
      throw forbidden(order, "attempts-exhausted");
    return [
      { type: "SubmissionStarted", data: { attempt, channel, key: submissionKeyOf(order.orderId, attempt) } },
    ];
  },

  RecordSubmission(order, data) {
    const attempt = attemptOf(order, data.attempt);
    return isReceived(order, attempt) ? [] : [{ type: "SubmittedToGRO", data: { ...data, attempt } }];
  },

  RecordSubmissionFailure: (order, data) => [
    { type: "SubmissionFailed", data },
    ...cancellationAfter(order, data),
  ],

  RecordGROOutcome(order, data, { at }) {
    const attempt = attemptOf(order, data.attempt);
    const questionRef = keepsQuestion(order, data) ? data.questionRef : null;
    const isKnown = order.outcome?.outcome === data.outcome && order.submission?.attempt === attempt;
    if (isKnown && questionRef === null) return [];
    return [
      ...proofOf(order, attempt, at),
      { type: "GROOutcomeRecorded", data: { ...data, attempt, questionRef } },
    ];
  },

  AmendApplication(order, { applicationRef, groReferenceKnown }) {
    assertAmendable(order);
    const previousApplicationRef = order.vault.application;
    if (previousApplicationRef === null || previousApplicationRef === applicationRef) return [];
    assertFresh(order, applicationRef);
    const fees = newFees(order.variant, groReferenceKnown);
    const data = { applicationRef, previousApplicationRef, fees };
    return [{ type: "ApplicationAmended", data }];
  },

  ReplaceApplication(order, { applicationRef, groReferenceKnown }, { at }) {
    assertReplaceable(order);
    const promise = order.variant && promiseOf(order.variant.serviceLevel, at);
    const fees = newFees(order.variant, groReferenceKnown);
    return [{ type: "ApplicationReplaced", data: { applicationRef, promise, fees } }];
  },

  RecordDispatch(order, data, { at }) {
    if (order.dispatchedAt !== null) return [];
    const attempt = attemptOf(order, data.attempt);
    return [...proofOf(order, attempt, at), { type: "CertificateDispatched", data: { ...data, attempt } }];
  },
};

/**
 * How long a request for links changes nothing after the one before: ten minutes, doubled with each request, up to a
 * week. Anyone can ask for them, and must neither fill a mailbox nor use up its owner's requests.
 */
const secondsUntilMoreLinks = ({ counts }: Order): number =>
  Math.min(600 * 2 ** ((counts.OrderLinksRequested ?? 1) - 1), 7 * 86_400);

/** True for the confirmation that the submission waits for; one to an address corrected since is another. */
const isAwaitedConfirmation = (
  { confirmation }: Order,
  mail: Pick<OrderCommandData<"RecordMail">, "template" | "about">,
): boolean =>
  mail.template === "confirmation" && confirmation.state !== "sent" && confirmation.about === mail.about;

/** Asking for the submission, and telling the customer. */
export const confirmationDecisions: Decisions<
  "RequestSubmission" | "RecordMail" | "RecordBounce" | "RequestOrderLinks" | "CorrectContact"
> = {
  RequestSubmission(order, _, { at }) {
    if (order.promise !== null || order.phase !== "Paid" || order.variant === null) return [];
    return [{ type: "SubmissionRequested", data: { promise: promiseOf(order.variant.serviceLevel, at) } }];
  },

  RecordMail(order, { result, ...mail }) {
    if (!isNewResult(order.mails, { result, ...mail }, orderMailRules(order))) return [];
    const isAwaited = isAwaitedConfirmation(order, mail);
    if (result === "sent") return [{ type: isAwaited ? "ConfirmationSent" : "MailSent", data: mail }];
    const data = { ...mail, because: result };
    return [{ type: isAwaited ? "ConfirmationUndeliverable" : "MailUndeliverable", data }];
  },

  RecordBounce: (order, data) => (isNewBounce(order.mails, data) ? [{ type: "MailBounced", data }] : []),

  RequestOrderLinks(order, _, { at }) {
    if (order.vault.contact === null) throw forbidden(order, "contact-purged");
    const { linksRequestedAt } = order;
    const isTooSoon =
      linksRequestedAt !== undefined &&
      before(at, addSeconds(linksRequestedAt, secondsUntilMoreLinks(order)));
    return isTooSoon ? [] : [{ type: "OrderLinksRequested", data: {} }];
  },

  CorrectContact(order, { contactRef, postal, emailChanged }) {
    const previousContactRef = order.vault.contact;
    if (previousContactRef === null) throw forbidden(order, "contact-purged");
    if (previousContactRef === contactRef) return [];
    // The GRO posts the certificate to the address it was sent: a later change would have no effect.
    if (postal && !isUnpaid(order.phase)) assertTakesApplication(order);
    assertFresh(order, contactRef);
    return [{ type: "ContactCorrected", data: { contactRef, previousContactRef, emailChanged } }];
  },
};
