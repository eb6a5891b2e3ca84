import { expect, test } from "vitest";
import { date, instant } from "./fields.ts";

test.each(["2000-01-01T00:00:00.000Z", "2026-11-21T09:30:00.000Z", "9999-12-31T23:59:59.999Z"])(
  "%s is a moment that events may name",
  (at) => expect(instant.safeParse(at).success).toBe(true),
);

test.each([
  "0000-01-01T00:00:00.000Z",
  "0001-01-01T00:00:00.000Z",
  "1999-12-31T23:59:59.999Z",
  "2026-11-21",
  "2026-11-21T09:30:00.000+01:00",
  "-002026-11-21T09:30:00.000Z",
])("%s is none: the database has no year 0, and seconds since another age are no number of ours", (at) =>
  expect(instant.safeParse(at).success).toBe(false),
);

test.each([
  "2026-11-21T09:30:00Z",
  "2026-11-21T09:30Z",
  "2026-11-21T09:30:00.1Z",
  "2026-11-21T09:30:00.0001Z",
  `2026-11-21T09:30:00.${"9".repeat(200)}Z`,
  "2026-11-21t09:30:00.000z",
  " 2026-11-21T09:30:00.000Z",
  "2026-11-21T09:30:00.000+00:00",
])("%s is refused: a moment has one form", (at) => expect(instant.safeParse(at).success).toBe(false));

test.each(["0000-01-01", "0001-01-01", "1999-12-31", "2026-02-30", "2026-11-21T09:30:00Z"])(
  "%s is no day that events may name",
  (day) => expect(date.safeParse(day).success).toBe(false),
);
