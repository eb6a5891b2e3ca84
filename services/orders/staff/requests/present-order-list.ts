import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import type { Presented } from "../../../../contract/request.ts";
import type { foundAnswer, listedShown, orderListAnswer } from "../../../../contract/staff-orders/list.ts";
import type { OrderSort } from "../../../../domain/order/staff/work-queues.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import type { OrderListEntry } from "../../../../projections/order-list/order-list-entry.ts";
import { type OrderListPage, queuesOfEntry } from "../../../../projections/order-list/order-list-queries.ts";
import { csvWriter } from "../../../documents/csv.ts";
import { cursorOf } from "./order-list-choice.ts";

/** A line of the back office's list. Money in pence; no personal data. */
const presentListed = (order: OrderListEntry, now: string): Presented<typeof listedShown> => ({
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
});

export const presentOrderList = (
  page: OrderListPage,
  sort: OrderSort,
  now: string,
): Presented<typeof orderListAnswer> => ({
  orders: page.orders.map((order) => presentListed(order, now)),
  next: page.next && cursorOf(sort, page.next),
  previous: page.previous && cursorOf(sort, page.previous),
});

/** `more`: there are further matches. */
export const presentFound = (
  { orders, more }: { readonly orders: readonly OrderListEntry[]; readonly more: boolean },
  now: string,
): Presented<typeof foundAnswer> => ({ orders: orders.map((order) => presentListed(order, now)), more });

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
] as const;

async function* rowsOf(batches: AsyncIterable<readonly OrderListEntry[]>, now: string) {
  for await (const batch of batches)
    for (const entry of batch) {
      const { queues, totalPence, ...line } = presentListed(entry, now);
      yield { ...line, totalAmount: (totalPence / 100).toFixed(2), queues: queues.join(" ") };
    }
}

/**
 * Streams the orders. Each batch is read once the previous one is sent: a slow browser causes no build-up in memory.
 */
export async function sendOrdersAsCsv(
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
