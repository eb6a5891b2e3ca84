import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import type { Presented, Read } from "../../../../contract/request.ts";
import type { listedShown } from "../../../../contract/staff-orders/list.ts";
import * as list from "../../../../contract/staff-orders/list.ts";
import { parseOrderNumber } from "../../../../domain/numbers.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import { faultOf, type Log } from "../../../../infra/process/log.ts";
import type { DuplicateQueries } from "../../../../projections/orders/duplicates.ts";
import type { OrderListEntry } from "../../../../projections/orders/order-list-columns.ts";
import { queuesOfEntry } from "../../../../projections/orders/order-list-queries.ts";
import { csvWriter } from "../../../documents/csv.ts";
import { malformed } from "../../../gateway/errors/problem.ts";
import { problemOf } from "../../../gateway/errors/problem-of-error.ts";
import type { HandlerDependencies } from "../../../gateway/parts.ts";
import { type AnswerTo, staffRoute } from "../../../gateway/route.ts";
import { presentDuplicates } from "../page/order-page.ts";
import { actOnMany, type BulkOutcome } from "../staff-actions.ts";
import { choiceOf, cursorOf, pageOf } from "./order-list-choice.ts";

type OrderLine = Presented<typeof listedShown>;

/** Filters, sort order and page are in the query string. */
export const listOrders = staffRoute(list.listOrders, ({ queries, deps }) => async ({ body }) => {
  const asked = pageOf(body);
  const now = deps.now().toISOString();
  const page = await queries.listOrders({ ...asked, now });
  const { next, previous } = page;
  return {
    body: {
      orders: await presentLines(queries, page.orders, now),
      next: next && cursorOf(asked.sort, next),
      previous: previous && cursorOf(asked.sort, previous),
    },
  };
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
  const { orders, more } = await find(dependencies, body);
  const now = dependencies.deps.now().toISOString();
  return { body: { orders: await presentLines(dependencies.queries, orders, now), more } };
});

/** `more`: there are further matches. */
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
  outcomes: readonly BulkOutcome[],
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
function whyOf(one: BulkOutcome, log: Log): string | null {
  if (one.outcome === "refused") return one.rule;
  if (one.outcome !== "failed") return null;
  const { orderId, error } = one;
  const { code, status } = problemOf(error);
  if (status >= 500) log.error({ orderId, code, fault: faultOf(error) }, "one of many orders failed");
  return code;
}

/** A line of the back office's list, by itself. Money in pence; no personal data. */
const presentListed = (order: OrderListEntry, now: string): Omit<OrderLine, "duplicates"> => ({
  id: order.orderId,
  orderNumber: order.orderNumber,
  status: order.status,
  phase: order.phase,
  certificateType: order.certificateType,
  serviceLevel: order.serviceLevel,
  copies: order.copies,
  totalPence: order.totalPence,
  createdAt: order.createdAt,
  paidAt: order.paidAt,
  updatedAt: order.updatedAt,
  despatchBy: order.despatchBy,
  queues: queuesOfEntry(order, now),
  checkoutId: order.checkoutId,
});

/** Lines with the possible duplicates of each order. */
async function presentLines(
  queries: DuplicateQueries,
  orders: readonly OrderListEntry[],
  now: string,
): Promise<OrderLine[]> {
  const duplicates = await queries.duplicatesOf(orders.map(({ orderId }) => orderId));
  return orders.map((order) => ({
    ...presentListed(order, now),
    duplicates: presentDuplicates(duplicates.get(order.orderId) ?? []),
  }));
}

/** The export's columns, in order. Money in pounds, times in UTC. */
const columns = [
  "orderNumber",
  "status",
  "phase",
  "certificateType",
  "serviceLevel",
  "copies",
  "totalAmount",
  "createdAt",
  "paidAt",
  "updatedAt",
  "despatchBy",
  "queues",
  "undelivered",
  "checkoutId",
] as const;

async function* rowsOf(batches: AsyncIterable<readonly OrderListEntry[]>, now: string) {
  for await (const batch of batches)
    for (const entry of batch) {
      const { queues, totalPence, ...line } = presentListed(entry, now);
      yield {
        ...line,
        totalAmount: (totalPence / 100).toFixed(2),
        queues: queues.join(" "),
        undelivered: queues.includes("undelivered"),
      };
    }
}

/**
 * Streams the orders. Each batch is read once the previous one is sent: a slow browser causes no build-up in memory.
 */
async function sendOrdersAsCsv(
  response: Response,
  batches: AsyncIterable<readonly OrderListEntry[]>,
  now: string,
): Promise<void> {
  response.set({
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="orders-${londonDate(now)}.csv"`,
    "Cache-Control": "no-store",
  });
  try {
    await pipeline(Readable.from(rowsOf(batches, now)), csvWriter(columns), response);
  } catch (error) {
    // The client has disconnected: the error has no recipient.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"))
      throw error;
  }
}
