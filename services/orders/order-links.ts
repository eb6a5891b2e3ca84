import { Refused } from "../../domain/decider.ts";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { addDays, before } from "../../domain/instant.ts";
import type { Order } from "../../domain/order/state.ts";
import { comparableEmail } from "../../domain/ticket/held-texts.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import type { Finder } from "../vault/blind-index.ts";
import { openIfThere } from "../vault/vault.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { orderIfKnown } from "./orders.ts";

/** Orders older than this are not listed. */
const reachesBackDays = 365;

/** Most orders and tickets of an address that are looked at. */
const mostLookedAt = 100;

/** Most orders in one mail. */
const mostLinks = 30;

type LinkDependencies = Pick<OrderDependencies, "orders" | "vault" | "now" | "log"> & {
  readonly finder: Finder;
};

/**
 * The orders of the last year whose contact data holds this address, newest first. An order whose contact data
 * was purged is not among them.
 */
async function* ordersOf(deps: LinkDependencies, email: string): AsyncGenerator<Order> {
  const oldest = addDays(deps.now().toISOString(), -reachesBackDays);
  const { subjects } = await deps.finder.find("email", email, mostLookedAt);
  for (const { kind, id } of subjects) {
    if (kind !== "order") continue;
    const order = await readable(deps, id);
    if (!order || before(order.createdAt, oldest)) continue;
    // The index may still hold an address that was corrected a moment ago.
    const contact = await openIfThere(deps.vault, order.vault.contact, contactRecord);
    if (contact && comparableEmail(contact.email) === comparableEmail(email)) yield order;
  }
}

async function readable({ orders, log }: LinkDependencies, orderId: string): Promise<Order | undefined> {
  try {
    return await orderIfKnown(orders, orderId);
  } catch (error) {
    if (!(error instanceof StreamUnreadable)) throw error;
    log.warn(
      { orderId, reason: error.reason },
      "an order that cannot be read is left out of a mail with links",
    );
    return undefined;
  }
}

/** Orders to list in a mail to this address, newest first. `more`: there are others. */
export async function ordersToLink(
  deps: LinkDependencies,
  email: string,
): Promise<{ readonly orders: readonly Order[]; readonly more: boolean }> {
  const orders: Order[] = [];
  for await (const order of ordersOf(deps, email)) orders.push(order);
  orders.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  return { orders: orders.slice(0, mostLinks), more: orders.length > mostLinks };
}

/**
 * Asks for a mail with links to the orders of an address. One of its orders records the request, so the address is
 * stored nowhere else and the mail survives a crash. Returns nothing: the caller must not learn whether there are any.
 */
export async function requestOrderLinks(
  deps: LinkDependencies & Pick<OrderDependencies, "newId">,
  email: string,
  correlationId: string,
): Promise<void> {
  for await (const { orderId } of ordersOf(deps, email)) {
    const by = { actor: { kind: "customer", id: orderId } as const, correlationId };
    const command = { type: "RequestOrderLinks", data: {} } as const;
    try {
      await deps.orders.execute({ orderId, commandId: deps.newId(), by, command });
    } catch (error) {
      // The limit is reached, or the contact data is being purged: indistinguishable from an unknown address.
      if (!(error instanceof Refused)) throw error;
    }
    return;
  }
}
