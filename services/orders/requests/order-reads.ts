import * as tracking from "../../../contract/orders/tracking.ts";
import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { parseOrderNumber } from "../../../domain/numbers.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import { notFound, Problem } from "../../gateway/errors/problem.ts";
import { isStaff } from "../../gateway/guards/identify.ts";
import type { Parts } from "../../gateway/parts.ts";
import { findCaughtUp } from "../../gateway/routing/read-after.ts";
import { holderRoute, route } from "../../gateway/routing/route.ts";
import { openIfThere } from "../../vault/vault.ts";
import { presentLookup } from "./present-lookup.ts";
import { presentContactLookup, presentOrder } from "./present-orders.ts";

export const showOrder = holderRoute(tracking.showOrder, (parts) => async ({ orderId }) => {
  const found = await findOrder(parts, () => parts.queries.getOrder(orderId));
  return { body: presentOrder(found) };
});

/** What anybody who knows the number may see. */
export const lookUp = route(tracking.lookUpOrder, (parts) => async ({ caller, body }) => {
  const found = await byNumber(parts, body.orderNumber);
  const holder = caller.holds(found.orderId);
  return { body: presentLookup(found, { holder, mayCommand: holder || isStaff(caller) }) };
});

/** Name and email in full to the holder alone, and to nobody after the purge. */
export const lookUpContact = route(tracking.lookUpContact, (parts) => async ({ caller, request }) => {
  const found = await byNumber(parts, String(request.params.orderNumber));
  const contact = await openIfThere(parts.desk.vault, found.contactRef, contactRecord);
  return { body: presentContactLookup(found, contact ?? null, caller.holds(found.orderId)) };
});

/** Exchanges the key of a mail's link for the order's cookie. */
export const enterByLink = route(tracking.enterByLink, (parts) => async ({ request, response, body }) => {
  const found = await byNumber(parts, body.orderNumber);
  const worth = parts.access.checkLinkKey(found.orderId, body.key);
  if (worth === "wrong") throw notFound();
  if (worth === "expired") throw new Problem("link-expired", "This link is no longer valid.");
  parts.access.grant(request, response, found.orderId);
  return { body: presentOrder(found) };
});

/** An order by its number as somebody typed it. @throws Problem 404 */
export async function byNumber(parts: Parts, typed: string): Promise<OrderLookup> {
  const orderNumber = parseOrderNumber(typed);
  if (orderNumber === undefined) throw notFound();
  return findOrder(parts, () => parts.queries.lookup(orderNumber));
}

async function findOrder(parts: Parts, query: () => Promise<OrderLookup | undefined>): Promise<OrderLookup> {
  const found = await findCaughtUp(parts, query);
  if (!found) throw notFound();
  return found;
}

/** Tells whoever knows the number when to look it up again. */
export const followOrder = route(tracking.followOrder, (parts) => async ({ request, response }) => {
  const { orderId } = await byNumber(parts, String(request.params.orderNumber));
  await parts.live.open(request, response, orderId);
  return undefined;
});
