import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import type { Response } from "express";
import type { OrderListEntry } from "../../../../projections/order-list/order-list.ts";
import { presentListed } from "./present-order-list.ts";

/** The columns of the export, in their order. Money in pounds, moments in UTC. */
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

/**
 * Rows become text that a spreadsheet reads as text: a cell that begins like a formula gets an apostrophe before it. With the mark that
 * spreadsheets know UTF-8 by.
 */
export const csvWriter = (names: readonly string[]) =>
  stringify({
    header: true,
    columns: [...names],
    escape_formulas: true,
    bom: true,
    record_delimiter: "windows",
    // Quoted by itself only where both stand together, and a reader ends a line at either.
    quoted_match: /[\r\n]/,
    // A boolean would become 1 or nothing.
    cast: { boolean: String },
  });

async function* rowsOf(batches: AsyncIterable<readonly OrderListEntry[]>, now: string) {
  for await (const batch of batches)
    for (const entry of batch) {
      const { queues, totalPence, ...line } = presentListed(entry, now);
      yield { ...line, totalAmount: (totalPence / 100).toFixed(2), queues: queues.join(" ") };
    }
}

/** Sends the orders. Each batch is read when the one before has gone out: a slow browser makes nothing pile up here. */
export async function sendOrdersAsCsv(
  response: Response,
  batches: AsyncIterable<readonly OrderListEntry[]>,
  now: string,
): Promise<void> {
  response.set({
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="orders-${now.slice(0, 10)}.csv"`,
    "Cache-Control": "no-store",
  });
  try {
    await pipeline(Readable.from(rowsOf(batches, now)), csvWriter(columns), response);
  } catch (error) {
    // Whoever asked has gone: there is nobody to tell.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE"))
      throw error;
  }
}
