import type { Recorded } from "../decider.ts";
import { earlier, later } from "../instant.ts";
import { bounced, closeMail, owe } from "../mailbox.ts";
import type { OrderEvent, OrderEventData, OrderEventType } from "./events.ts";
import { goesToPrevious, orderMailRules, withoutConfirmation } from "./mail-rules.ts";
import { moneyFolds } from "./payment/fold-money.ts";
import { privacyFolds } from "./personal-data/fold-privacy.ts";
import { closeQuestions, supersede } from "./personal-data/vault-records.ts";
import { awaitsDispatch } from "./phases.ts";
import { orderLimits } from "./rules.ts";
import { type EventOf, exists, type Folds, type Order, type OrderState } from "./state.ts";
import { submissionFolds } from "./submission/fold-submission.ts";

/** The order after its first event. */
function created(data: OrderEventData<"OrderCreated">, { at }: Recorded): Order {
  const { contactRef, signatureRef, certificateId, ...order } = data;
  const never = { purgedAt: null, receipt: null, failures: 0, failedAt: null };
  return {
    ...order,
    phase: "Opened",
    createdAt: at,
    variant: null,
    intents: { count: 0, open: null },
    payments: [],
    paidAt: null,
    promise: null,
    confirmation: { state: "none", about: null, at: null },
    attempts: {
      count: 0,
      automatic: 0,
      firstAt: null,
      lastAt: null,
      failedAt: null,
      open: null,
      received: [],
    },
    submission: null,
    submissions: 0,
    outcome: null,
    replacedAt: null,
    dispatchedAt: null,
    cancellationRequested: null,
    end: null,
    refunds: [],
    proposals: [],
    disputes: [],
    vault: {
      application: null,
      signature: signatureRef,
      contact: contactRef,
      groReferences: [],
      notes: [],
      bankTransfers: [],
      questions: [],
      superseded: [],
    },
    purges: { application: never, contact: never },
    erasureRequestedAt: null,
    mails: { owed: [], sent: [] },
    ...(certificateId !== null && { certificateIds: [certificateId] }),
    emailChanges: 0,
    counts: {},
  };
}

function withVariant(order: Order, data: OrderEventData<"VariantAdded">, at: string): Order {
  const { applicationRef, ...variant } = data;
  return {
    ...order,
    phase: order.phase === "Opened" ? "Priced" : order.phase,
    variant: { ...variant, pricedAt: order.variant?.pricedAt ?? at },
    vault: supersede(order.vault, "application", applicationRef, at),
  };
}

/** Choosing, confirming, dispatching and ending. */
const lifeFolds: Folds<
  | "SameCertificateFound"
  | "SavedDraftsLinked"
  | "SavedDraftsEnded"
  | "VariantAdded"
  | "VariantReplaced"
  | "SubmissionRequested"
  | "ConfirmationSent"
  | "ConfirmationUndeliverable"
  | "MailSent"
  | "MailUndeliverable"
  | "MailBounced"
  | "OrderLinksRequested"
  | "CertificateDispatched"
  | "CertificateArrived"
  | "OrderFulfilled"
  | "CancellationRequested"
  | "OrderCancelled"
  | "OrderFailed"
> = {
  SameCertificateFound: (order, { certificateIds }) => ({
    ...order,
    certificateIds: [...new Set([...(order.certificateIds ?? []), ...certificateIds])],
  }),
  SavedDraftsLinked: (order, { draftIds }) => ({ ...order, savedDraftIds: draftIds }),
  SavedDraftsEnded: ({ savedDraftIds: _, ...order }) => order,
  VariantAdded: (order, data, { at }) => withVariant(order, data, at),
  VariantReplaced: (order, { previousApplicationRef: _, ...data }, { at }) => withVariant(order, data, at),
  SubmissionRequested: (order, { promise }, { at, eventId }) => ({
    ...order,
    promise,
    confirmation: { state: "owed", about: eventId, at, first: eventId },
    mails: owe(order.mails, "confirmation", eventId, at),
  }),
  ConfirmationSent: (order, mail, { at }) => ({
    ...order,
    phase: order.phase === "Paid" ? "Confirmed" : order.phase,
    confirmation: { ...order.confirmation, state: "sent", about: mail.about, at },
    mails: closeMail(order.mails, mail, "sent", at),
  }),
  ConfirmationUndeliverable: (order, mail, { at }) => ({
    ...order,
    confirmation: { ...order.confirmation, state: "undeliverable", about: mail.about, at },
    mails: closeMail(order.mails, mail, mail.because, at),
  }),
  MailSent: (order, mail, { at }) => ({
    ...order,
    mails: closeMail(order.mails, mail, "sent", at, goesToPrevious(mail)),
  }),
  MailUndeliverable: (order, mail, { at }) => ({
    ...order,
    mails: closeMail(order.mails, mail, mail.because, at),
  }),
  MailBounced: (order, mail, { at }) => {
    const returned = { ...order, mails: bounced(order.mails, mail, at, orderMailRules(order)) };
    return withoutConfirmation(returned, mail.about, at);
  },
  OrderLinksRequested: (order, _, { at, eventId }) => ({
    ...order,
    linksRequestedAt: at,
    mails: owe(order.mails, "orderLinks", eventId, at),
  }),
  CertificateDispatched: (order, { dispatchedAt }, { at, eventId }) => {
    // A report may be late, or its clock wrong.
    const leftGroAt = order.leftGroAt ?? later(order.createdAt, earlier(dispatchedAt, at));
    const known = { ...order, dispatchedAt: order.dispatchedAt ?? at, leftGroAt };
    // In any other phase staff look into it.
    if (!awaitsDispatch(order.phase)) return known;
    return { ...known, phase: "Dispatched", mails: owe(order.mails, "dispatched", eventId, at) };
  },
  CertificateArrived: (order, _, { at }) => ({ ...order, arrivedAt: order.arrivedAt ?? at }),
  OrderFulfilled: (order, _, { at }) => ({
    ...order,
    phase: "Fulfilled",
    end: { at, reason: "fulfilled", cause: null },
  }),
  CancellationRequested: (order, data, { at }) => ({ ...order, cancellationRequested: { ...data, at } }),
  OrderCancelled: (order, { reason }, { at, eventId }) => ({
    ...order,
    phase: "Cancelled",
    intents: { ...order.intents, open: null },
    end: { at, reason, cause: null },
    // Without a payment there is no mail: the address is purged at once.
    mails: order.payments.length > 0 ? owe(order.mails, "cancelled", eventId, at) : order.mails,
  }),
  OrderFailed: (order, { cause, reason }, { at, eventId }) => ({
    ...order,
    phase: "Failed",
    end: { at, reason, cause, ...(order.submissions === 0 && { isUnsubmitted: true }) },
    mails: owe(order.mails, "failed", eventId, at),
  }),
};

type Later = Exclude<OrderEventType, "OrderCreated">;

const folds: Folds<Later> = { ...lifeFolds, ...moneyFolds, ...submissionFolds, ...privacyFolds };

/** The log holds what cannot happen: an unknown event, or one before the order was created. */
export class ImpossibleHistory extends Error {
  override readonly name = "ImpossibleHistory";
}

function fold<Type extends Later>(order: Order, event: EventOf<Type>, recorded: Recorded): Order {
  const change: Folds<Later>[Type] | undefined = folds[event.type];
  if (!change) throw new ImpossibleHistory(`No fold for the event ${event.type}.`);
  const changed = closeQuestions(change(order, event.data, recorded), recorded.at);
  return { ...changed, counts: orderLimits.counted(changed.counts, event.type) };
}

/**
 * The order after one more event.
 * @throws ImpossibleHistory for an unknown event, one before OrderCreated, or a second OrderCreated
 */
export function evolve(state: OrderState, event: OrderEvent, recorded: Recorded): OrderState {
  if (event.type === "OrderCreated") {
    if (exists(state)) throw new ImpossibleHistory("The order was created twice.");
    return created(event.data, recorded);
  }
  if (!exists(state)) throw new ImpossibleHistory(`${event.type} came before OrderCreated.`);
  return fold(state, event, recorded);
}
