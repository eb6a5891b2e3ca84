import type { Instant } from "../instant.ts";
import { type MailRules, missedOf } from "../mailbox.ts";
import { awaitsAnswer } from "./personal-data/vault-records.ts";
import { awaitsDispatch, hasEnded, isUnpaid } from "./phases.ts";
import type { Order } from "./state.ts";
import type { MailTemplate } from "./vocabulary.ts";

/** What a mail says. */
interface Template {
  /** Sent even to someone who reported an earlier mail as unwanted: the law, their money or their safety asks for it. */
  readonly isNeeded: boolean;
  /** Whether it is still worth sending, after it did not arrive. */
  isTrue(order: Order, mail: { readonly about: string; readonly since: Instant }): boolean;
}

/** The confirmation matters from the request until the certificate is on its way. */
export const awaitsConfirmation = ({ promise, phase }: Order): boolean =>
  promise !== null && awaitsDispatch(phase);

const hasOtherConfirmation = ({ mails }: Order, about: string): boolean =>
  [...mails.owed, ...mails.sent.filter(({ former }) => !former)].some(
    (mail) => mail.template === "confirmation" && mail.about !== about,
  );

const templates: Readonly<Record<MailTemplate, Template>> = {
  // The contract on a durable medium. If another one arrived, or is to be sent, this one has nothing to add.
  confirmation: {
    isNeeded: true,
    isTrue: (order, { about }) => awaitsConfirmation(order) && !hasOtherConfirmation(order, about),
  },
  submitted: { isNeeded: false, isTrue: ({ phase }) => phase === "Submitted" },
  // The tracking page has the receipt as well.
  dataDeleted: { isNeeded: false, isTrue: () => true },
  paymentFailed: { isNeeded: false, isTrue: ({ phase }) => isUnpaid(phase) },
  // Without an answer the order cannot go on.
  groQuestion: { isNeeded: true, isTrue: awaitsAnswer },
  dispatched: { isNeeded: false, isTrue: ({ phase }) => phase === "Dispatched" || phase === "Fulfilled" },
  cancelled: { isNeeded: true, isTrue: ({ phase }) => phase === "Cancelled" },
  // Answers a request.
  cancellationTooLate: { isNeeded: true, isTrue: ({ phase }) => phase === "Submitted" },
  failed: { isNeeded: true, isTrue: ({ phase }) => phase === "Failed" },
  refunded: {
    isNeeded: true,
    // It does not name its refund, but was first owed when that was issued.
    isTrue: ({ refunds }, { since }) => refunds.some(({ status, at }) => status === "issued" && at === since),
  },
  // Asked for.
  orderLinks: { isNeeded: true, isTrue: () => true },
  // It is for the previous address alone.
  emailChanged: { isNeeded: true, isTrue: () => false },
};

/** By its template: an erasure request forgets that it is owed while it may be on its way. */
export const goesToPrevious = ({ template }: { readonly template: MailTemplate }): boolean =>
  template === "emailChanged";

/** What an order says of its mails. */
export const orderMailRules = (order: Order): MailRules<MailTemplate> => ({
  hasAddress: order.vault.contact !== null,
  isTrue: (mail) => templates[mail.template].isTrue(order, mail),
  isNeeded: ({ template }) => templates[template].isNeeded,
});

/** Mails that did not arrive, still say what is so, and may arrive when they are sent again, or to another address. */
export const missedMails = (order: Order) => missedOf(order.mails, orderMailRules(order));

/** What did not reach the customer: the confirmation that the order waits for, or other mails. */
export const unreachedBy = ["confirmation", "email"] as const;
export type UnreachedBy = (typeof unreachedBy)[number];

/** Which mails need another address, or the same one confirmed; null if none do. */
export function missedThroughAddress(order: Order): UnreachedBy | null {
  const missed = missedMails(order);
  const awaitsOne = order.phase === "Paid" && order.confirmation.state === "undeliverable";
  if (awaitsOne && missed.some(({ template }) => template === "confirmation")) return "confirmation";
  return missed.some(({ because }) => because !== "spam") ? "email" : null;
}

/** Whether staff are to see to mails that did not arrive. Of an order that has ended, only those that are needed. */
export const isUndelivered = (order: Order): boolean => {
  const { isNeeded } = orderMailRules(order);
  return missedMails(order).some((mail) => !hasEnded(order.phase) || isNeeded(mail));
};

/** True while the GRO has never had the application, so that nothing goes there before a confirmation arrived. */
export const isHeldBack = ({ confirmation, submissions }: Order): boolean =>
  confirmation.state !== "sent" && submissions === 0;

/**
 * A confirmation came back. Unless another one arrived, the order is unconfirmed again: before its first submission it
 * waits for one that arrives, afterwards it goes on.
 */
export function withoutConfirmation(order: Order, about: string, at: string): Order {
  const isIt = ({ template }: { readonly template: MailTemplate }) => template === "confirmation";
  const { mails, confirmation, phase } = order;
  if (confirmation.state !== "sent" || mails.sent.some(isIt)) return order;
  const next = mails.owed.find(isIt);
  const lost = {
    ...order,
    confirmation: {
      ...confirmation,
      state: next ? ("owed" as const) : ("undeliverable" as const),
      about: next?.about ?? about,
      at,
      returnedAt: at,
    },
  };
  return phase === "Confirmed" && isHeldBack(lost) ? { ...lost, phase: "Paid" } : lost;
}
