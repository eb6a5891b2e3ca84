import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { cpuClock } from "./cpu-clock.ts";
import { isTooDear, measure, reportLines } from "./measure.ts";

it("measures a small log, its audits and its proofs", async () => {
  await using closing = new AsyncDisposableStack();
  const database = await testDatabase();
  closing.defer(() => database.drop());
  const { connectionString } = database;
  const pool = closing.adopt(createPool(connectionString), (opened) => opened.end());
  const store = createPostgresEventStore({ pool, connectionString });
  closing.defer(() => store.close());
  const figures = await measure(
    { pool, store, connectionString, cpuMsOf: cpuClock(process.pid), marksEvery: 256 },
    { events: 700, leaves: 3_000, rounds: 1, seed: 1 },
  );
  expect(figures.tree.map(({ batches, events }) => [batches, events])).toEqual([
    [[1], 70],
    [[10], 70],
    [[100], 280],
    [[500], 280],
  ]);
  const [round] = figures.rounds;
  expect(round?.leaf.events).toBe(700);
  expect(round?.leaf.batches.reduce((sum, each) => sum + each, 0)).toBe(700);
  expect(round?.leaf.cpuMs).toBeGreaterThan(0);
  expect(figures.appended).toBe(2_100);
  expect(figures.whole.map(({ atOnce }) => atOnce)).toEqual([1, 2, 4]);
  expect(figures.proofs.hashes).toBeGreaterThan(9);
  expect(figures.bytesPerEvent).toBeGreaterThan(32);
  expect(reportLines(figures).join("\n")).toContain("At 3000 leaves, medians:");
});

it("says when the tree costs more than its share", () => {
  const rounds = (...each: number[]) => ({
    rounds: each.map((cpuMs) => ({ appendMs: 1, leaf: { batches: [100], events: 1, cpuMs } })),
  });
  expect(isTooDear(rounds(0.04, 0.05, 0.2))).toBe(false);
  expect(isTooDear(rounds(0.04, 0.051, 0.2))).toBe(true);
  expect(isTooDear(rounds(Number.NaN))).toBe(true);
});

it("counts the CPU of some work", async () => {
  // It ends with its input, which ends with this process at the latest.
  const child = spawn("cat");
  const ended = once(child, "exit");
  const cpuMsOf = cpuClock(child.pid ?? 0);
  const spent = ({ user, system }: NodeJS.CpuUsage) => user + system;
  const busy = async () => {
    const since = process.cpuUsage();
    while (spent(process.cpuUsage(since)) < 200_000);
  };
  expect(await cpuMsOf(async () => undefined)).toBeLessThan(100);
  expect(await cpuMsOf(busy)).toBeGreaterThan(199);
  child.stdin.end();
  await ended;
});
