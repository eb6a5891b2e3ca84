import { expect, test } from "vitest";
import { londonDay, londonMoment, longDay } from "./dates.ts";

test("a calendar day is written with its weekday", () => {
  expect(longDay("2026-12-10")).toBe("Thursday 10 December");
});

test("moments are London's, summer time included", () => {
  expect(londonDay("2026-06-30T23:30:00.000Z")).toBe("1 July 2026");
  expect(londonMoment("2026-11-20T14:32:09.000Z")).toBe("20 Nov 2026, 14:32:09");
  expect(londonMoment("2026-06-30T23:30:00.000Z")).toBe("1 Jul 2026, 00:30:00");
});
