import { expect, it } from "vitest";
import { eventMetadata } from "./event-store/event-metadata.ts";
import { recordedInstant } from "./recorded-instant.ts";
import { formatNewestLeaf, parseNewestLeaf } from "./transparency/newest-leaf.ts";

const otherForms = [
  ["no milliseconds", "2026-11-21T09:30:00Z"],
  ["no seconds", "2026-11-21T09:30Z"],
  ["200 digits of a second", `2026-11-21T09:30:00.${"1".repeat(200)}Z`],
  ["an offset", "2026-11-21T10:30:00.000+01:00"],
  ["a day alone", "2026-11-21"],
] as const;

it("is a moment as we print it", () => {
  expect(recordedInstant.parse("2026-11-21T09:30:00.000Z")).toBe(new Date(1795253400000).toISOString());
});

it.each(otherForms)("refuses %s", (_, at) => {
  expect(recordedInstant.safeParse(at).success).toBe(false);
});

it.each(otherForms)("refuses an event and a signed note with %s", (_, at) => {
  expect(eventMetadata.shape.at.safeParse(at).success).toBe(false);
  const leaf = { origin: "a log", logId: "id", size: 1, position: "1", eventId: "an event", at };
  expect(() => parseNewestLeaf(formatNewestLeaf(leaf))).toThrow("malformed");
});
