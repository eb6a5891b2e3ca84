import { expect, test } from "vitest";
import * as z from "zod/mini";
import { afterPlace, endOfDay, listDay, placeIn, placeText } from "./shapes.ts";

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
