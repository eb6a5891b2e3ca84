import { describe, expect, it } from "vitest";
import { type Counts, countsOf, cpuMsOf, cpuMsOfTree } from "./counters.ts";
import { dearTogether, missed, reportLines, statementLines, workOf } from "./report.ts";

/** Every counter at one value, with some changed. */
const at = (value: number, changes: Partial<Counts> = {}): Counts => ({
  ...countsOf(() => value),
  ...changes,
});

const idle = { from: at(0), to: at(20), seconds: 10 };

describe("the work of an order", () => {
  it("is what was counted, less what the same time costs at rest", () => {
    const { perOrder, idlePerSecond } = workOf(idle, { from: at(20), to: at(100), seconds: 20 }, 4);
    expect(idlePerSecond).toMatchObject({ transactions: 2, cpuMs: 4 });
    expect(perOrder).toMatchObject({ transactions: 10, productCpuMs: 10, postgresCpuMs: 10, cpuMs: 20 });
  });

  it("meets the targets at the targets, and misses each of them above", () => {
    const limit = { transactions: 40, fsyncs: 12, walBytes: 40_960, productCpuMs: 20, postgresCpuMs: 15 };
    const none = { from: at(0), to: at(0), seconds: 1 };
    const work = (to: Counts) => workOf(none, { from: at(0), to, seconds: 1 }, 1);
    expect(missed(work(at(0, limit)))).toEqual([]);
    const above = { transactions: 41, fsyncs: 13, walBytes: 40_961, productCpuMs: 21, postgresCpuMs: 15 };
    expect(missed(work(at(0, above)))).toEqual([
      "transactions",
      "fsyncs of the write-ahead log",
      "bytes of write-ahead log",
      "CPU together, ms",
    ]);
  });

  it("says which counters could not be read, and misses no target by them", () => {
    const unread = { productCpuMs: Number.NaN };
    const work = workOf(idle, { from: at(0, unread), to: at(0, unread), seconds: 1 }, 1);
    expect(missed(work)).toEqual([]);
    expect(reportLines(work).at(-1)).toMatch(/^CPU together, ms +not measured +35 +4$/);
  });

  it("of several orders with one payment may be that of all of them alone but one", () => {
    const none = { from: at(0), to: at(0), seconds: 1 };
    const work = (to: Counts) => workOf(none, { from: at(0), to, seconds: 1 }, 1);
    const alone = work(at(10));
    const together = (to: Counts) => ({ orders: 5, work: work(to) });
    expect(dearTogether(alone, together(at(40)))).toEqual([]);
    expect(dearTogether(alone, together(at(40, { fsyncs: 41 })))).toEqual([
      "fsyncs of the write-ahead log of 5 together",
    ]);
    expect(dearTogether(alone, together(at(40, { walBytes: 41, statementWalBytes: 41 })))).toEqual([
      "bytes of log by statements of 5 together",
    ]);
    expect(reportLines(alone, together(at(40)))[1]).toMatch(/^transactions +10 +40 +0 +40 +4$/);
  });

  it("lists the most frequent statements, with calls and bytes of log per order", () => {
    const before = [{ text: "select 1", calls: 10, walBytes: 0 }];
    const after = [
      { text: "select 1", calls: 14, walBytes: 0 },
      { text: "insert into\n  t", calls: 6, walBytes: 4_000 },
      { text: "begin", calls: 2, walBytes: 0 },
    ];
    expect(statementLines(before, after, 2, 2).slice(1)).toEqual([
      "     3.0     2,000  insert into t",
      "     2.0         0  select 1",
    ]);
  });
});

it.runIf(process.platform === "linux")("counts the processor time of a process and of its tree", () => {
  const before = cpuMsOf(process.pid);
  const until = performance.now() + 120;
  while (performance.now() < until) Math.sqrt(until);
  expect(cpuMsOf(process.pid) - before).toBeGreaterThan(0);
  expect(cpuMsOfTree(process.pid)).toBeGreaterThanOrEqual(before);
});
