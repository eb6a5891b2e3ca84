import { preparedMail } from "../../domain/checkout/checkout.ts";
import { Refused } from "../../domain/decider.ts";
import { type BounceKind, isUnderWay } from "../../domain/mailbox.ts";
import type { Order } from "../../domain/order/state.ts";
import { type MailTemplate, mailTemplate } from "../../domain/order/vocabulary.ts";
import { draftMailTemplate } from "../../domain/saved-draft/vocabulary.ts";
import { ticketMailTemplate } from "../../domain/ticket/vocabulary.ts";
import { ifReadable } from "../../infra/event-store/stream-unreadable.ts";
import type { OnBehalf } from "../command-bus.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";

export type Bounce = {
  readonly subject: { readonly kind: "order" | "ticket" | "draft"; readonly id: string };
  /** The mail that came back. */
  readonly mail: { readonly template: string; readonly about: string };
  readonly kind: BounceKind;
  /** `5.1.1`, `550` or nothing. */
  readonly code: string;
  readonly commandId: string;
  readonly by: OnBehalf;
};

/** A mail came back before it was recorded as sent, by each order that it tells of: report it again. */
export class MailUnderWay extends Error {
  override readonly name = "MailUnderWay";
  constructor() {
    super("The mail is not recorded as sent yet.");
  }
}

/**
 * Records that a mail came back, or was reported as unwanted. Of a mail that was never sent, or whose bounce is known,
 * nothing is recorded, nor of a subject that the log does not have.
 * @throws MailUnderWay
 */
export async function recordBounce(deps: OrderDependencies, bounce: Bounce): Promise<void> {
  try {
    await recorders[bounce.subject.kind](deps, bounce);
  } catch (error) {
    if (!(error instanceof Refused && error.code.startsWith("unknown-"))) throw error;
  }
}

const recorders: Readonly<
  Record<Bounce["subject"]["kind"], (deps: OrderDependencies, bounce: Bounce) => Promise<void>>
> = { order: ofOrder, ticket: ofTicket, draft: ofDraft };

async function ofOrder(deps: OrderDependencies, bounce: Bounce): Promise<void> {
  const { subject, mail, kind, code, commandId, by } = bounce;
  const orderId = subject.id;
  const data = { template: mailTemplate.parse(mail.template), about: mail.about, kind, code };
  const told = await toldBy(deps, (await deps.orders.load(orderId)).order, data);
  const isOwed = ({ mails }: Order, about: string) =>
    isUnderWay(mails, { ...data, about }, deps.now().toISOString());
  if (told.some(({ other, about }) => isOwed(other, about))) throw new MailUnderWay();
  const command = { type: "RecordBounce", data } as const;
  const { order } = await deps.orders.execute({ orderId, commandId, by, command });
  if (!(await deps.orders.knows(orderId, commandId))) {
    if (isOwed(order, data.about)) throw new MailUnderWay();
    return;
  }
  for (const { other, about } of told) {
    await deps.orders.execute({
      orderId: other.orderId,
      commandId: `${commandId}-${other.orderId}`,
      by,
      command: { type: "RecordBounce", data: { ...data, about } },
    });
  }
}

/** The other orders of a checkout of which the same mail tells, each with its own event. */
async function toldBy(
  { orders, checkouts }: Pick<OrderDependencies, "orders" | "checkouts">,
  { orderId, checkoutId, confirmation }: Order,
  mail: { readonly template: MailTemplate; readonly about: string },
): Promise<{ readonly other: Order; readonly about: string }[]> {
  const isShared = mail.template !== "confirmation" || mail.about === confirmation.first;
  const checkout = isShared && checkoutId !== undefined ? await checkouts.find(checkoutId) : undefined;
  const prepared = checkout && preparedMail(checkout, orderId, mail);
  if (prepared?.orderId !== orderId) return [];
  const others = prepared.told.filter((told) => told.orderId !== orderId);
  const loaded = await Promise.all(others.map((told) => ifReadable(orders.load(told.orderId))));
  return others.flatMap((told, nth) => {
    const other = loaded[nth]?.order;
    const about = told.about ?? other?.confirmation.first;
    return other && about !== undefined ? [{ other, about }] : [];
  });
}

async function ofTicket({ tickets, now }: OrderDependencies, bounce: Bounce): Promise<void> {
  const { subject, mail, kind, code, commandId, by } = bounce;
  const ticketId = subject.id;
  const data = { template: ticketMailTemplate.parse(mail.template), about: mail.about, kind, code };
  const command = { type: "RecordBounce", data } as const;
  const { ticket } = await tickets.execute({ ticketId, commandId, by, command });
  if (!(await tickets.knows(ticketId, commandId)) && isUnderWay(ticket.mails, data, now().toISOString()))
    throw new MailUnderWay();
}

async function ofDraft({ drafts }: OrderDependencies, bounce: Bounce): Promise<void> {
  const { subject, mail, kind, code, commandId, by } = bounce;
  const draftId = subject.id;
  const data = { template: draftMailTemplate.parse(mail.template), about: mail.about, kind, code };
  const draft = await drafts.execute({ draftId, commandId, by, command: { type: "RecordBounce", data } });
  if (draft.mail?.about === mail.about) throw new MailUnderWay();
}
