import { expect, test } from "vitest";
import { inTurn, report } from "./rounds.ts";

const ran = (ours: readonly number[], theirs: readonly number[]) => {
  const rounds = (each: readonly number[]) => each.map((perSecond) => ({ perSecond }));
  return new Map([
    ["The product", rounds(ours)],
    ["Emmett", rounds(theirs)],
  ]);
};

test("Runs the ways in turn", async () => {
  const order: string[] = [];
  const way = (name: string) => ({ name, run: async () => ({ perSecond: order.push(name) }) });
  const rounds = await inTurn([way("a"), way("b")], 2);
  expect(order).toEqual(["a", "b", "a", "b"]);
  expect(rounds.get("b")).toEqual([{ perSecond: 2 }, { perSecond: 4 }]);
});

test("Compares each round with the other's of the same time", () => {
  const { lines, holds } = report("Orders", ran([30, 300, 900], [10, 100, 100]), [
    { over: "Emmett", least: 3 },
  ]);
  expect(lines).toContain("Orders beside Emmett: 3.00, target 3: met.");
  expect(holds).toBe(true);
});

test("Says which target is missed", () => {
  const { lines, holds } = report("Orders", ran([29], [10]), [{ over: "Emmett", least: 3 }]);
  expect(lines).toContain("Orders beside Emmett: 2.90, target 3: MISSED.");
  expect(holds).toBe(false);
});

test("Misses no target by what was not measured, or has none", () => {
  const { lines, holds } = report("Rebuilds", ran([1], [10]), [
    { over: "Emmett" },
    { over: "SQL alone", least: 1 },
  ]);
  expect(lines.slice(-2)).toEqual([
    "Rebuilds beside Emmett: 0.10.",
    "Rebuilds beside SQL alone: not measured.",
  ]);
  expect(holds).toBe(true);
});
