import { setTimeout as delay } from "node:timers/promises";
import * as tracking from "../../../contract/orders/tracking.ts";
import { contactRecord, questionRecord } from "../../../domain/forms/sealed-records.ts";
import { parseOrderNumber } from "../../../domain/numbers.ts";
import type { CheckoutQueries } from "../../../projections/orders/checkout-orders.ts";
import type { OrderLookup } from "../../../projections/orders/order-lookup.ts";
import { notFound, Problem, proofNotReady } from "../../gateway/errors/problem.ts";
import { isStaff } from "../../gateway/guards/identify.ts";
import { findCaughtUp, type HandlerDependencies } from "../../gateway/parts.ts";
import { holderRoute, route } from "../../gateway/route.ts";
import { openIfThere } from "../../vault/vault.ts";
import { requestOrderLinks } from "../order-links.ts";
import { presentContactLookup, presentLookup, presentOrder } from "./present-orders.ts";

export const showOrder = holderRoute(tracking.showOrder, (dependencies) => async ({ orderId }) => {
  const found = await findCaughtUp(dependencies, () => dependencies.queries.getOrder(orderId));
  if (!found) throw notFound();
  return { body: presentOrder(found) };
});

/** Visible to anyone with the order number. */
export const lookUp = route(tracking.lookUpOrder, (dependencies) => async ({ caller, body }) => {
  const found = await byNumber(dependencies, body.orderNumber);
  const holder = await caller.holds(found.orderId);
  const standing = { holder, mayCommand: holder || isStaff(caller) };
  const { deps } = dependencies;
  const opened = holder ? await openForHolder(dependencies, found) : {};
  return { body: presentLookup(found, standing, deps.now().toISOString(), opened) };
});

async function openForHolder({ deps, queries }: HandlerDependencies, found: OrderLookup) {
  const [contact, asked, together] = await Promise.all([
    openIfThere(deps.vault, found.contactRef, contactRecord),
    found.question ? openIfThere(deps.vault, found.questionRef, questionRecord) : undefined,
    orderedTogether(queries, found),
  ]);
  return { contact, question: asked?.text, together };
}

/** Numbers of the other orders that an order is, or was to be, paid for together with. */
async function orderedTogether(
  queries: CheckoutQueries,
  { orderId, checkoutId }: OrderLookup,
): Promise<readonly string[]> {
  if (checkoutId === null) return [];
  const others = (await queries.ordersOfCheckout(checkoutId)).filter((other) => other.orderId !== orderId);
  return others.map(({ orderNumber }) => orderNumber);
}

/** Name and email: in full for the holder only, and null after the purge. */
export const lookUpContact = route(tracking.lookUpContact, (dependencies) => async ({ caller, request }) => {
  const found = await byNumber(dependencies, String(request.params.orderNumber));
  const { deps, queries } = dependencies;
  const holder = await caller.holds(found.orderId);
  const [contact, together] = await Promise.all([
    openIfThere(deps.vault, found.contactRef, contactRecord),
    holder ? orderedTogether(queries, found) : [],
  ]);
  return { body: presentContactLookup(found, contact ?? null, holder, together) };
});

/** For anyone who can see the certificate of deletion. Made from the log, and never stored. */
export const proveDeletion = route(tracking.showDeletionProof, (dependencies) => async ({ request }) => {
  const found = await byNumber(dependencies, String(request.params.orderNumber));
  const history = await dependencies.orderHistory(found.orderId);
  const purge = history
    .flatMap(({ event, stored }) => (event.type === "SensitiveDataPurged" ? [{ ...event.data, stored }] : []))
    .at(-1);
  if (!purge) throw notFound();
  const proof = await dependencies.publicLog.prove(purge.stored);
  if (proof === undefined) throw proofNotReady();
  // Without the order's number: the file is there to be shown to others.
  const name = `deletion-${purge.keyFingerprint.slice(0, 8)}.tlog-proof`;
  return { file: { name, type: "text/plain", bytes: Buffer.from(proof) } };
});

/** Exchanges the key in an emailed link for the order's cookie. */
export const enterByLink = route(tracking.enterByLink, (dependencies) => async ({ request, body }) => {
  const found = await byNumber(dependencies, body.orderNumber);
  // From the log: a read model that is behind would admit the reader of a corrected address.
  const { order } = await dependencies.deps.orders.load(found.orderId);
  const worth = dependencies.access.checkLinkKey(order, body.key);
  if (worth === "wrong") throw notFound();
  if (worth === "expired") throw new Problem("link-expired", "This link is no longer valid.");
  const cookies = dependencies.access.grant(request, order.orderId, order.emailChanges);
  return { body: presentOrder(found), cookies };
});

/**
 * When a request for links is answered: later than any of the ways to an answer takes, so a clock cannot execute an
 * address with orders from one without.
 */
const linksAnsweredAfterMs = 600;

/** Says nothing of what was found, not even by the position of what was written. */
export const mailOrderLinks = route(
  tracking.mailOrderLinks,
  ({ deps, finder }) =>
    async ({ body, correlationId }) => {
      const requested = requestOrderLinks({ ...deps, finder }, body.email, correlationId);
      await Promise.all([requested, delay(linksAnsweredAfterMs)]);
      return {};
    },
);

/** Finds an order by its number in any notation. @throws Problem 404 */
export async function byNumber(dependencies: HandlerDependencies, typed: string): Promise<OrderLookup> {
  const orderNumber = parseOrderNumber(typed);
  if (orderNumber === undefined) throw notFound();
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookup(orderNumber));
  if (!found) throw notFound();
  return found;
}

/** Live updates for anyone with the order number. */
export const followOrder = route(tracking.followOrder, (dependencies) => async ({ request, response }) => {
  const { orderId } = await byNumber(dependencies, String(request.params.orderNumber));
  await dependencies.live.open(request, response, orderId);
  return undefined;
});
