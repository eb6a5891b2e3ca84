import { expect, it } from "vitest";
import { phases } from "../domain/order/phases.ts";
import { ticketStream } from "../domain/ticket/events.ts";
import { historyTo } from "../testing/domain/order-fixture.ts";
import { ticketId, ticketIn, ticketPhases } from "../testing/domain/ticket-fixture.ts";
import { rowAfter } from "../testing/projections/stored-history-fixture.ts";
import { ordersProjection } from "./orders/orders.ts";
import type { Projection } from "./runner/projection.ts";
import { ticketList } from "./tickets/ticket-list.ts";
import { ticketLookup } from "./tickets/ticket-lookup.ts";

// Rows of a version in use were written by earlier code, and this code continues from them. When this fails, raise the
// projection's `version`, which starts a new file; one never deployed may be recorded anew (`vitest run -u`).

/** A row with one line per column, under a heading. */
const written = (heading: string, row: Readonly<Record<string, unknown>>): string[] => [
  heading,
  ...Object.entries(row).map(([column, value]) => `  ${column}: ${JSON.stringify(value)}`),
];

/** The rows of an order in each phase, and the dictionary that they need. */
function rowsOf<State>(projection: Projection<State>): string {
  const { dictionary } = projection.table;
  const rows = phases.flatMap((phase) => written(phase, rowAfter(projection, historyTo[phase])));
  const lines = [`dictionary: ${JSON.stringify(dictionary)}`, ...rows];
  return `${lines.join("\n")}\n`;
}

it("folds the rows of orders as before", async () => {
  const file = `recorded-rows/orders-v${ordersProjection.version}.txt`;
  await expect(rowsOf(ordersProjection)).toMatchFileSnapshot(file);
});

/** The rows of a ticket in each phase. */
function ticketRowsOf<State>(projection: Projection<State>): string {
  const stream = ticketStream(ticketId);
  const lines = ticketPhases.flatMap((phase) =>
    written(phase, rowAfter(projection, ticketIn[phase], stream)),
  );
  return `${lines.join("\n")}\n`;
}

it.each([ticketLookup, ticketList])("folds a ticket's rows for $name as before", async (projection) => {
  const file = `recorded-rows/${projection.name}-v${projection.version}.txt`;
  await expect(ticketRowsOf(projection)).toMatchFileSnapshot(file);
});
