import type { Read } from "../../../../contract/request.ts";
import * as list from "../../../../contract/staff-orders/list.ts";
import { parseOrderNumber } from "../../../../domain/numbers.ts";
import type { OrderListEntry } from "../../../../projections/order-list/order-list.ts";
import { malformed } from "../../../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../../../gateway/parts.ts";
import { staffRoute } from "../../../gateway/routing/route.ts";
import { actOnMany } from "../act-on-many.ts";
import { presentBulk } from "./bulk-outcomes.ts";
import { choiceOf, pageOf } from "./order-list-choice.ts";
import { sendOrdersAsCsv } from "./orders-csv.ts";
import { presentFound, presentOrderList } from "./present-order-list.ts";

/** Filters, sort order and page are in the query string. */
export const listOrders = staffRoute(list.listOrders, ({ queries, deps }) => async ({ body }) => {
  const asked = pageOf(body);
  const now = deps.now().toISOString();
  return { body: presentOrderList(await queries.listOrders({ ...asked, now }), asked.sort, now) };
});

/** CSV of all matching orders, streamed at the browser's pace. */
export const exportOrders = staffRoute(
  list.exportOrders,
  ({ queries, deps }) =>
    async ({ body, response }) => {
      const now = deps.now().toISOString();
      const orders = queries.everyOrder({ ...choiceOf(body), now });
      await sendOrdersAsCsv(response, orders, now);
      return undefined;
    },
);

const mostFound = 50;

/** The search text is in the body, which keeps it out of URLs and logs. */
export const searchOrders = staffRoute(list.searchOrders, (dependencies) => async ({ body }) => {
  const found = await find(dependencies, body);
  return { body: presentFound(found, dependencies.deps.now().toISOString()) };
});

type Found = { readonly orders: readonly OrderListEntry[]; readonly more: boolean };

async function find(
  { queries, finder }: HandlerDependencies,
  { by, text }: Read<typeof list.searchOrders>,
): Promise<Found> {
  if (by === "number") {
    const orderNumber = parseOrderNumber(text);
    const order = orderNumber === undefined ? undefined : await queries.lookup(orderNumber);
    return { orders: await queries.listedOrders(order ? [order.orderId] : []), more: false };
  }
  const { subjects, more } = await finder.find(by, text, mostFound);
  const ids = subjects.flatMap(({ kind, id }) => (kind === "order" ? [id] : []));
  const listed = new Map((await queries.listedOrders(ids)).map((entry) => [entry.orderId, entry]));
  return { orders: ids.flatMap((id) => listed.get(id) ?? []), more };
}

/** One command per order, each with a key derived from the request's: repeating the request repeats each command. */
export const actOnOrders = staffRoute(
  list.actOnOrders,
  (dependencies) =>
    async ({ body, by, idempotencyKey, correlationId }) => {
      if (idempotencyKey === undefined) throw malformed("A bulk action needs an Idempotency-Key header.");
      const act = { by, reason: body.reason, idempotencyKey, correlationId };
      const outcomes = await actOnMany(dependencies.deps, body.orders, act, body);
      const listed = await dependencies.queries.listedOrders(body.orders);
      return presentBulk(outcomes, listed, dependencies.deps.log);
    },
);
