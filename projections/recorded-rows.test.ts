import { expect, it } from "vitest";
import { historyTo } from "../domain/order/order-fixture.ts";
import { phases } from "../domain/order/phases.ts";
import { orderList } from "./order-list.ts";
import { orderLookup } from "./order-lookup.ts";
import type { Projection } from "./projection.ts";
import { rowAfter } from "./stored-history-fixture.ts";

// The rows of a version in use were written by the code of their day, and this code goes on from them. When this fails, raise
// the projection's `version`, which starts a new file; one that was never deployed may be recorded anew (`vitest run -u`).

/** The rows of an order in each phase, a line for each column. */
function rowsOf<State>(projection: Projection<State>): string {
  const lines = phases.flatMap((phase) => [
    phase,
    ...Object.entries(rowAfter(projection, historyTo[phase])).map(
      ([column, value]) => `  ${column}: ${JSON.stringify(value)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

it("folds the lookup's rows as its version always did", async () => {
  const file = `recorded-rows/order-lookup-v${orderLookup.version}.txt`;
  await expect(rowsOf(orderLookup)).toMatchFileSnapshot(file);
});

it("folds the list's rows as its version always did", async () => {
  const file = `recorded-rows/order-list-v${orderList.version}.txt`;
  await expect(rowsOf(orderList)).toMatchFileSnapshot(file);
});
