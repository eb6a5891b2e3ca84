import { type Checkout, type PreparedMail, preparedMail } from "../../../domain/checkout/checkout.ts";
import type { CheckoutCommand } from "../../../domain/checkout/events.ts";
import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { mailTaskName } from "../../../domain/mailbox.ts";
import {
  isLeftToTell,
  isShared,
  isToTell,
  type OwedMail,
  owedMail,
  sameEvent,
} from "../../../domain/order/shared-mails.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { TaskSettings } from "../../../domain/order/tasks/task.ts";
import { gatheredTemplate } from "../../../domain/order/vocabulary.ts";
import { comparableEmail } from "../../../domain/ticket/held-texts.ts";
import { ifReadable } from "../../../infra/event-store/stream-unreadable.ts";
import { uncompared } from "../../orders/command-ids.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { openIfThere } from "../../vault/vault.ts";
import type { OwedTask } from "../task-dependencies.ts";

/** Another order that a mail tells of, and its own event; undefined where its confirmation is not due yet. */
export type Told = { readonly order: Order; readonly about: string | undefined };

/** A mail that an order owes: it tells of others too, another order's tells of it, or that is not known yet. */
type Sharing =
  | { readonly kind: "tells"; readonly others: readonly Told[] }
  | { readonly kind: "told" }
  | { readonly kind: "later" };

const alone: Sharing = { kind: "tells", others: [] };

/**
 * The same event of several orders of a checkout within a minute is one mail: the first order whose mail is due tells of
 * all to the same address. An order sends its own where that one never arrived or cannot be read, and where the contact
 * details of either were corrected: the mail has a link that opens each order it tells of.
 */
export async function sharingOf(
  deps: OrderDependencies,
  settings: TaskSettings,
  { order, by }: OwedTask<"mail">,
  mail: OwedMail,
): Promise<Sharing> {
  const { checkoutId, orderId } = order;
  const checkout = checkoutId === undefined ? undefined : await deps.checkouts.lastSeen(checkoutId);
  if (!checkout || !isShared(order, mail)) return alone;
  const orders = await readable(deps, checkout.orderIds);
  const prepared =
    preparedMail(checkout, orderId, mail) ??
    (await prepare(deps, settings, { order, mail, by, checkout, orders }));
  if (!prepared) return { kind: "later" };
  if (prepared.orderId !== orderId) return toldBy(deps, prepared, orderId, mail);
  const others: Told[] = [];
  for (const { orderId: otherId, about } of prepared.told) {
    const other = orders.find((each) => each.orderId === otherId);
    // The mail waits until all can be read that it was to tell of.
    if (!other) return { kind: "later" };
    const named = { template: mail.template, about };
    if (otherId !== orderId && isLeftToTell(named, other))
      others.push({ order: other, about: owedMail(other, named)?.about });
  }
  return { kind: "tells", others };
}

/** What has become of the mail of the order that tells of this one: read since that was prepared. */
async function toldBy(
  deps: OrderDependencies,
  { orderId: speakerId, told }: PreparedMail,
  orderId: string,
  mail: OwedMail,
): Promise<Sharing> {
  const { template } = mail;
  const [speaker] = await readable(deps, [speakerId]);
  // Read after it: by now that mail may be on record here, and may have come back to both.
  const { order } = await deps.orders.load(orderId);
  if (!order.mails.owed.some((other) => mailTaskName(other) === mailTaskName(mail))) return { kind: "later" };
  if (!speaker || !isShared(speaker, { template })) return alone;
  const about = told.find((one) => one.orderId === speakerId)?.about;
  // One that came back goes again by itself, and tells of no other.
  const isIt = (one: Pick<OwedMail, "template" | "about" | "tries">) =>
    one.template === template && one.tries === undefined && (about === undefined || one.about === about);
  if (speaker.mails.sent.some(isIt)) return { kind: "told" };
  return speaker.mails.owed.some(isIt) ? { kind: "later" } : alone;
}

type Preparing = Pick<OwedTask<"mail">, "order" | "by"> & {
  readonly mail: OwedMail;
  readonly checkout: Checkout;
  readonly orders: readonly Order[];
};

async function prepare(
  deps: OrderDependencies,
  settings: TaskSettings,
  { order, mail, by, checkout, orders }: Preparing,
): Promise<PreparedMail | undefined> {
  const { orderId } = order;
  // What is over tells of itself alone, and confirms no other.
  const isOver = !isToTell(order, mail, order, settings);
  const fitting = orders.filter(
    (other) => other.orderId === orderId || (!isOver && isToTell(order, mail, other, settings)),
  );
  const addresses = await Promise.all(fitting.map((other) => addressOf(deps, other)));
  const own = await addressOf(deps, order);
  const told = fitting.filter((other, nth) => other.orderId === orderId || addresses[nth] === own);
  const { checkoutId } = checkout;
  const command = commandFor(order, mail, told, settings);
  const commandId = mail.template === "confirmation" ? `confirmation-${orderId}` : `mail-${mail.about}`;
  // Another worker may have found the orders otherwise, and was first.
  const request = { checkoutId, commandId, by, fingerprint: uncompared, command };
  return preparedMail((await deps.checkouts.execute(request)).checkout, orderId, mail);
}

function commandFor(
  order: Order,
  mail: OwedMail,
  told: readonly Order[],
  settings: TaskSettings,
): CheckoutCommand {
  const { orderId } = order;
  if (mail.template === "confirmation")
    return { type: "PrepareConfirmation", data: { orderId, orderIds: told.map((other) => other.orderId) } };
  const mails = told.flatMap((other) => {
    const about = sameEvent(order, mail, other, settings)?.about;
    return about === undefined ? [] : [{ orderId: other.orderId, about }];
  });
  return { type: "PrepareMail", data: { template: gatheredTemplate.parse(mail.template), orderId, mails } };
}

async function addressOf({ vault }: OrderDependencies, order: Order): Promise<string | undefined> {
  const contact = await openIfThere(vault, order.vault.contact, contactRecord);
  return contact && comparableEmail(contact.email);
}

/** Those that can be read: the others send their own. */
async function readable({ orders }: OrderDependencies, ids: readonly string[]): Promise<readonly Order[]> {
  const loaded = await Promise.all(ids.map((orderId) => ifReadable(orders.load(orderId))));
  return loaded.flatMap((each) => (each ? [each.order] : []));
}
