import { expect, test } from "vitest";
import { instant } from "./fields.ts";

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
