import { expect, it } from "vitest";
import { durationWords } from "./values.tsx";

it.each([
  [0, "0 s"],
  [41, "41 s"],
  [60, "1.0 min"],
  [210, "3.5 min"],
  [3_599, "60 min"],
  [7_560, "2.1 h"],
  [86_400 * 4, "4.0 days"],
])("says %d seconds as %s", (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});
