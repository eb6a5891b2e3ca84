import { expect, test } from "vitest";
import { reportedInstant } from "./notices.ts";

test.each([
  ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
  ["2026-11-21T09:30:00.1Z", "2026-11-21T09:30:00.100Z"],
  [`2026-11-21T09:30:00.${"9".repeat(200)}Z`, "2026-11-21T09:30:00.999Z"],
])("%s, as the automation service may write it, is printed as ours are", (at, printed) =>
  expect(reportedInstant.parse(at)).toBe(printed),
);

test.each(["", "yesterday", "2026-11-21", "1999-12-31T23:59:59Z", "2026-11-21T09:30:00+01:00"])(
  "%s is refused",
  (at) => expect(reportedInstant.safeParse(at).success).toBe(false),
);
