import { Refused } from "../../domain/decider.ts";
import { type BounceKind, isUnderWay } from "../../domain/mailbox.ts";
import type { Order } from "../../domain/order/state.ts";
import { mailTemplate } from "../../domain/order/vocabulary.ts";
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

/** A mail came back before it was recorded as sent: report it again. */
export class MailUnderWay extends Error {
  override readonly name = "MailUnderWay";
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
  const command = { type: "RecordBounce", data } as const;
  const { order } = await deps.orders.execute({ orderId, commandId, by, command });
  if (!(await deps.orders.knows(orderId, commandId))) {
    assertRecorded(isUnderWay(order.mails, data, deps.now().toISOString()));
    return;
  }
  for (const told of await toldBy(deps, order, bounce)) {
    const { first } = told.confirmation;
    if (first === undefined) continue;
    await deps.orders.execute({
      orderId: told.orderId,
      commandId: `${commandId}-${told.orderId}`,
      by,
      command: { type: "RecordBounce", data: { ...data, about: first } },
    });
  }
}

/** The other orders of a checkout whose confirmation was the same mail. */
async function toldBy(
  { orders, checkouts }: Pick<OrderDependencies, "orders" | "checkouts">,
  { orderId, checkoutId, confirmation }: Order,
  { mail }: Bounce,
): Promise<Order[]> {
  const isShared = mail.template === "confirmation" && mail.about === confirmation.first;
  if (!isShared || checkoutId === undefined) return [];
  const prepared = (await checkouts.find(checkoutId))?.confirmation;
  if (prepared?.orderId !== orderId) return [];
  const others = prepared.orderIds.filter((other) => other !== orderId);
  const loaded = await Promise.all(others.map((other) => ifReadable(orders.load(other))));
  return loaded.flatMap((other) => (other ? [other.order] : []));
}

async function ofTicket({ tickets, now }: OrderDependencies, bounce: Bounce): Promise<void> {
  const { subject, mail, kind, code, commandId, by } = bounce;
  const ticketId = subject.id;
  const data = { template: ticketMailTemplate.parse(mail.template), about: mail.about, kind, code };
  const command = { type: "RecordBounce", data } as const;
  const { ticket } = await tickets.execute({ ticketId, commandId, by, command });
  if (!(await tickets.knows(ticketId, commandId)))
    assertRecorded(isUnderWay(ticket.mails, data, now().toISOString()));
}

async function ofDraft({ drafts }: OrderDependencies, bounce: Bounce): Promise<void> {
  const { subject, mail, kind, code, commandId, by } = bounce;
  const draftId = subject.id;
  const data = { template: draftMailTemplate.parse(mail.template), about: mail.about, kind, code };
  const draft = await drafts.execute({ draftId, commandId, by, command: { type: "RecordBounce", data } });
  assertRecorded(draft.mail?.about === mail.about);
}

function assertRecorded(isUnderWay: boolean): void {
  if (isUnderWay) throw new MailUnderWay("The mail is not recorded as sent yet.");
}
