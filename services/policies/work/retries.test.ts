import { expect, it } from "vitest";
import { TaskRetries } from "./retries.ts";

const now = new Date("2026-11-29T12:00:00Z");
const task = (kind: "mail" | "purge") => ({ name: kind, kind });

/** Seconds until the next attempt, after each of ten. */
const delays = (isTried: (retries: TaskRetries) => void, due: (retries: TaskRetries) => number) => {
  const retries = new TaskRetries({}, () => now);
  return Array.from({ length: 10 }, () => {
    isTried(retries);
    return (due(retries) - now.getTime()) / 1000;
  });
};

it.each([
  ["a mail, at most five minutes", "mail", [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]],
  ["a purge, at most ten seconds", "purge", [1, 2, 4, 8, 10, 10, 10, 10, 10, 10]],
] as const)("waits longer with each attempt at %s", (_, kind, seconds) => {
  const found = delays(
    (retries) => retries.tried(task(kind)),
    (retries) => retries.notBefore(kind),
  );
  expect(found).toEqual(seconds);
});

it("waits at most a minute to read again", () => {
  const found = delays(
    (retries) => retries.triedReading(),
    (retries) => retries.readsNotBefore,
  );
  expect(found).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
});

it("forgets what is no longer due, and that the subject could not be read", () => {
  const retries = new TaskRetries({ mail: { tries: 3, notBeforeMs: 1 } }, () => now);
  retries.tried(task("purge"));
  retries.triedReading();
  retries.keep(new Set(["mail"]));
  expect(retries.all).toEqual({ mail: { tries: 3, notBeforeMs: 1 } });
});
