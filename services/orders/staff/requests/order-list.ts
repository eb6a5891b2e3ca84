import type { Presented, Read } from "../../../../contract/request.ts";
import * as list from "../../../../contract/staff-orders/list.ts";
import { parseOrderNumber } from "../../../../domain/numbers.ts";
import { faultOf, type Log } from "../../../../infra/process/log.ts";
import type { OrderListEntry } from "../../../../projections/order-list/order-list-entry.ts";
import { malformed } from "../../../gateway/errors/problem.ts";
import { problemOf } from "../../../gateway/errors/problem-of-error.ts";
import type { HandlerDependencies } from "../../../gateway/parts.ts";
import { type AnswerTo, staffRoute } from "../../../gateway/routing/route.ts";
import { actOnMany, type Outcome } from "../act-on-many.ts";
import { choiceOf, pageOf } from "./order-list-choice.ts";
import { presentFound, presentOrderList, sendOrdersAsCsv } from "./present-order-list.ts";

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

/** The outcome for each order, in the order requested. */
function presentBulk(
  outcomes: readonly Outcome[],
  listed: readonly OrderListEntry[],
  log: Log,
): AnswerTo<(typeof list.actOnOrders)["answers"]> {
  const numbers = new Map(listed.map(({ orderId, orderNumber }) => [orderId, orderNumber]));
  const positions = outcomes.flatMap((one) => ("position" in one ? [one.position] : []));
  const position = positions.toSorted().at(-1);
  const body: Presented<typeof list.bulkAnswer> = {
    outcomes: outcomes.map((one) => ({
      id: one.orderId,
      orderNumber: numbers.get(one.orderId) ?? null,
      outcome: one.outcome,
      why: whyOf(one, log),
    })),
  };
  return {
    body,
    ...(position !== undefined && { position }),
  };
}

/** The rule that refused it, or an error code; null on success. */
function whyOf(one: Outcome, log: Log): string | null {
  if (one.outcome === "refused") return one.rule;
  if (one.outcome !== "failed") return null;
  const { orderId, error } = one;
  const { code, status } = problemOf(error);
  if (status >= 500) log.error({ orderId, code, fault: faultOf(error) }, "one of many orders failed");
  return code;
}
