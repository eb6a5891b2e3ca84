import { expect, it } from "vitest";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { isTooDear, measure, reportLines } from "./measure.ts";

it("measures a small log, its audits and its proofs", async () => {
  await using closing = new AsyncDisposableStack();
  const database = await testDatabase();
  closing.defer(() => database.drop());
  const { connectionString } = database;
  const pool = closing.adopt(createPool(connectionString), (opened) => opened.end());
  const store = createPostgresEventStore({ pool, connectionString });
  closing.defer(() => store.close());
  let clock = 0;
  const cpuMs = () => {
    clock += 1;
    return clock;
  };
  const figures = await measure(
    { pool, store, connectionString, cpuMs, marksEvery: 256 },
    { events: 700, leaves: 3_000, rounds: 1, seed: 1 },
  );
  expect(figures.tree.map(({ batch, events }) => [batch, events])).toEqual([
    [1, 70],
    [10, 70],
    [100, 280],
    [500, 280],
  ]);
  expect(figures.whole.map(({ atOnce }) => atOnce)).toEqual([1, 2, 4]);
  expect(figures.proofs.hashes).toBeGreaterThan(9);
  expect(figures.bytesPerEvent).toBeGreaterThan(32);
  expect(reportLines(figures).join("\n")).toContain("At 3000 leaves, medians:");
});

it("says when the tree costs more than its share", () => {
  const cost = (cpuMs: number) => ({ appendMs: 1, tree: [{ batch: 100, events: 1, cpuMs }] });
  expect([isTooDear(cost(0.05)), isTooDear(cost(0.051))]).toEqual([false, true]);
  expect(isTooDear({ appendMs: 1, tree: [] })).toBeUndefined();
});
