import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import type { Response } from "express";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import type { OrderListEntry } from "../../../../projections/order-list/order-list-entry.ts";
import { csvOptions } from "../../../documents/csv.ts";
import { presentListed } from "./present-order-list.ts";

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

export const csvWriter = (names: readonly string[]) =>
  stringify({
    ...csvOptions,
    columns: [...names],
    // The library turns booleans into 1 or nothing.
    cast: { boolean: String },
  });

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
