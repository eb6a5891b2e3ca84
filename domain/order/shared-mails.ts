import { duePayment } from "./payment/money.ts";
import { hasEnded } from "./phases.ts";
import type { Order } from "./state.ts";
import type { TaskSettings } from "./tasks/task.ts";
import { gatheredTemplate, type MailTemplate } from "./vocabulary.ts";

// The same event of several orders of a checkout within a minute is one mail, and so is the confirmation of one payment.

export type OwedMail = Order["mails"]["owed"][number];

const gathered: ReadonlySet<MailTemplate> = new Set(gatheredTemplate.options);

export const gatheredForSeconds = ({ mailsGatheredForSeconds = 60 }: TaskSettings): number =>
  mailsGatheredForSeconds;

/** An order's mails go by themselves once its contact was corrected: each has a link that opens all that it tells of. */
const isCorrected = ({ counts }: Order): boolean => (counts.ContactCorrected ?? 0) > 0;

type Kind = Pick<OwedMail, "template" | "tries">;

/** Whether the mail waits for the same event of other orders. The confirmation does not: the submission waits for it. */
export const isGathered = (order: Order, { template, tries }: Kind): boolean =>
  isInCheckout(order) && gathered.has(template) && tries === undefined;

/** Whether the mail may tell of other orders, or another order's of this one. One that came back goes by itself. */
export const isShared = (order: Order, mail: Kind): boolean =>
  isInCheckout(order) && (mail.template === "confirmation" || isGathered(order, mail));

const isInCheckout = (order: Order): boolean => order.checkoutId !== undefined && !isCorrected(order);

type MailAbout = Pick<OwedMail, "template" | "about">;

/** The mail that an order owes about an event, or the one of a template. */
export const owedMail = (
  { mails }: Order,
  { template, about }: { readonly template: MailTemplate; readonly about: string | undefined },
): OwedMail | undefined =>
  mails.owed.find((mail) => mail.template === template && (about === undefined || mail.about === about));

/** The mail that another order owes about the same event as an order's, which happened within a minute of it. */
export function sameEvent(
  order: Order,
  mail: MailAbout,
  other: Order,
  settings: TaskSettings,
): OwedMail | undefined {
  const own = owedMail(order, mail);
  if (own === undefined || order.orderId === other.orderId) return own;
  return other.mails.owed.find(
    ({ template, since, tries }) =>
      template === mail.template &&
      tries === undefined &&
      Math.abs(Date.parse(since) - Date.parse(own.since)) <= gatheredForSeconds(settings) * 1_000 &&
      (template !== "cancelled" || other.end?.reason === order.end?.reason),
  );
}

/** Whether an order's mail may tell of another order. A confirmation tells of all that was paid for with it. */
export const isToTell = (order: Order, mail: MailAbout, other: Order, settings: TaskSettings): boolean =>
  isInCheckout(other) &&
  other.checkoutId === order.checkoutId &&
  (mail.template === "confirmation"
    ? isConfirmedWith(order, other)
    : sameEvent(order, mail, other, settings) !== undefined);

/**
 * Whether a mail that is about to leave still has to tell of an order for which it was prepared. That depends on this order
 * alone, so that it knows by itself whether a mail that has left told of it.
 */
export const isLeftToTell = (
  mail: { readonly template: MailTemplate; readonly about: string | undefined },
  other: Order,
): boolean =>
  isInCheckout(other) &&
  (mail.template === "confirmation"
    ? other.confirmation.state !== "sent"
    : owedMail(other, mail) !== undefined);

const isConfirmedWith = (order: Order, other: Order): boolean =>
  duePayment(other)?.intentId === duePayment(order)?.intentId &&
  !hasEnded(other.phase) &&
  other.confirmation.state !== "sent";
