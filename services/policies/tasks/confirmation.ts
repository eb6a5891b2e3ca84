import type { Checkout } from "../../../domain/checkout/checkout.ts";
import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { duePayment } from "../../../domain/order/payment/money.ts";
import { hasEnded } from "../../../domain/order/phases.ts";
import type { Order } from "../../../domain/order/state.ts";
import { comparableEmail } from "../../../domain/ticket/held-texts.ts";
import { ifReadable } from "../../../infra/event-store/stream-unreadable.ts";
import { uncompared } from "../../orders/command-ids.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { openIfThere } from "../../vault/vault.ts";

/** The confirmation of an order: it tells of others too, another order's tells of it, or that is not known yet. */
export type Confirmation =
  | { readonly kind: "tells"; readonly others: readonly Order[] }
  | { readonly kind: "told" }
  | { readonly kind: "later" };

const alone: Confirmation = { kind: "tells", others: [] };

/**
 * One payment, one confirmation: the first order of a checkout whose confirmation is due tells of all that were paid for
 * with it to the same address. An order sends its own where that one never arrived or cannot be read, and where the
 * contact details of either were corrected: the mail has a link that opens each order it tells of.
 */
export async function confirmationOf(
  deps: OrderDependencies,
  order: Order,
  by: OnBehalf,
): Promise<Confirmation> {
  const { checkoutId, orderId } = order;
  const checkout = checkoutId === undefined ? undefined : await deps.checkouts.lastSeen(checkoutId);
  if (!checkout || isCorrected(order)) return alone;
  // What is over is told of by no other, nor tells of others unless that was prepared before.
  if (hasEnded(order.phase) && checkout.confirmation?.orderId !== orderId) return alone;
  const orders = await readable(deps, checkout.orderIds);
  const prepared = checkout.confirmation ?? (await prepare(deps, checkout, order, orders, by));
  if (!prepared?.orderIds.includes(orderId)) return alone;
  if (prepared.orderId === orderId) {
    const named = orders.filter((each) => prepared.orderIds.includes(each.orderId));
    if (named.length < prepared.orderIds.length) return { kind: "later" };
    return {
      kind: "tells",
      others: named.filter((other) => other.orderId !== orderId && isToldWith(order, other)),
    };
  }
  const speaker = orders.find((each) => each.orderId === prepared.orderId);
  if (!speaker || isCorrected(speaker)) return alone;
  const { state } = speaker.confirmation;
  if (state === "sent") return { kind: "told" };
  return state === "undeliverable" || hasEnded(speaker.phase) ? alone : { kind: "later" };
}

async function prepare(
  deps: OrderDependencies,
  { checkoutId }: Checkout,
  order: Order,
  orders: readonly Order[],
  by: OnBehalf,
) {
  const { orderId } = order;
  const paid = orders.filter((other) => isToldWith(order, other));
  const addresses = await Promise.all(paid.map((other) => addressOf(deps, other)));
  const own = await addressOf(deps, order);
  const orderIds = paid.filter((_, nth) => addresses[nth] === own).map((other) => other.orderId);
  const command = { type: "PrepareConfirmation" as const, data: { orderId, orderIds } };
  const commandId = `confirmation-${orderId}`;
  // Another worker may have found the orders otherwise, and was first.
  const request = { checkoutId, commandId, by, fingerprint: uncompared, command };
  return (await deps.checkouts.execute(request)).checkout.confirmation;
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

const isCorrected = ({ counts }: Order): boolean => (counts.ContactCorrected ?? 0) > 0;

const isToldWith = (order: Order, other: Order): boolean =>
  duePayment(other)?.intentId === duePayment(order)?.intentId &&
  !hasEnded(other.phase) &&
  !isCorrected(other) &&
  other.confirmation.state !== "sent";
