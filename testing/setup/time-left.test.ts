import { expect, it } from "vitest";
import { inWords, timeLeftMs } from "./time-left.ts";

it("takes what files took before, divided among the workers, until a tenth is done", () => {
  expect(timeLeftMs({ elapsedMs: 9_000, workers: 2, doneMs: 0, allMs: 60_000 })).toBe(30_000);
});

it("goes by the pace of this run from then on", () => {
  expect(timeLeftMs({ elapsedMs: 30_000, workers: 2, doneMs: 20_000, allMs: 60_000 })).toBe(60_000);
  expect(timeLeftMs({ elapsedMs: 30_000, workers: 2, doneMs: 60_000, allMs: 60_000 })).toBe(0);
});

it.each([
  [0, "0 s"],
  [59_400, "59 s"],
  [59_600, "1 min 0 s"],
  [3_725_000, "62 min 5 s"],
])("tells %i ms as %s", (ms, words) => {
  expect(inWords(ms)).toBe(words);
});
