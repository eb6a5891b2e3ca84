import { expect, test } from "vitest";
import { date, instant } from "./fields.ts";

test.each(["2000-01-01T00:00:00Z", "2026-11-21T09:30:00.000Z", "9999-12-31T23:59:59Z"])(
  "%s is a moment that events may name",
  (at) => expect(instant.safeParse(at).success).toBe(true),
);

test.each([
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "1999-12-31T23:59:59.999Z",
  "2026-11-21",
  "2026-11-21T09:30:00+01:00",
  "-002026-11-21T09:30:00Z",
])("%s is none: the database has no year 0, and seconds since another age are no number of ours", (at) =>
  expect(instant.safeParse(at).success).toBe(false),
);

test.each([
  ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00.1Z", "2026-11-21T09:30:00.100Z"],
  [`2026-11-21T09:30:00.${"9".repeat(200)}Z`, "2026-11-21T09:30:00.999Z"],
])("%s is printed again in one form", (at, printed) => expect(instant.parse(at)).toBe(printed));

test.each(["0000-01-01", "0001-01-01", "1999-12-31", "2026-02-30", "2026-11-21T09:30:00Z"])(
  "%s is no day that events may name",
  (day) => expect(date.safeParse(day).success).toBe(false),
);
