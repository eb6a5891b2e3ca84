import { expect, test } from "vitest";
import * as z from "zod/mini";
import { afterPlace, endOfDay, givenInstant, listDay, placeIn, placeText } from "./shapes.ts";

const schema = z.tuple([z.string(), z.int()]);

test("A place survives encoding for a URL, and is opaque there", () => {
  const text = placeText(["2026-11-21", 7]);
  expect(text).not.toContain("2026");
  expect(placeIn(text, schema)).toEqual(["2026-11-21", 7]);
});

test.each(["", "bm8", "not base64!", placeText(["of another list"])])("%j is no place", (text) => {
  expect(placeIn(text, schema)).toBeUndefined();
  expect(afterPlace(schema).safeParse(text).success).toBe(false);
});

test.each(["0000-01-01", "9999-12-31", "2026-02-30", "soon"])("No list begins with %s", (day) => {
  expect(listDay.safeParse(day).success).toBe(false);
});

test.each([
  ["2026-11-21", "2026-11-22T00:00:00.000Z"],
  ["2026-06-30", "2026-06-30T23:00:00.000Z"],
])("A list to %s ends at midnight in London", (day, end) => {
  expect(endOfDay(day)).toBe(end);
});

test("A request writes a moment as it is printed", () => {
  expect(givenInstant.parse("2026-11-21T09:30:00.000Z")).toBe("2026-11-21T09:30:00.000Z");
});

test.each([
  "2026-11-21T09:30:00Z",
  "2026-11-21T09:30Z",
  "2026-11-21T09:30:00.1Z",
  `2026-11-21T09:30:00.${"9".repeat(200)}Z`,
  "2026-11-21t09:30:00.000z",
  " 2026-11-21T09:30:00.000Z",
  "2026-11-21T09:30:00.000+00:00",
  "1999-12-31T23:59:59.999Z",
])("A request with the moment %s is refused", (at) => {
  expect(givenInstant.safeParse(at).success).toBe(false);
});
