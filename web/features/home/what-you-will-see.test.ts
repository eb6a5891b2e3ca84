import { expect, test } from "vitest";
import { durationWords } from "./what-you-will-see.tsx";

test.each([
  [0, "a few seconds"],
  [0.1, "6 seconds"],
  [0.7, "42 seconds"],
  [1.9, "114 seconds"],
  [2, "2 minutes"],
  [89.4, "89 minutes"],
  [90, "2 hours"],
  [600, "10 hours"],
])("%d minutes are %s", (minutes, words) => {
  expect(durationWords(minutes)).toBe(words);
});
