import { describe, expect, test } from "vitest";
import { daysAfter, daysBetween } from "./calendar-date.ts";

describe("Days of the calendar", () => {
  test.each([
    ["2026-11-21", 1, "2026-11-22"],
    ["2026-12-31", 1, "2027-01-01"],
    ["2028-02-28", 1, "2028-02-29"],
    ["2026-03-29", 1, "2026-03-30"], // The clocks in London go forward.
    ["2026-11-21", -21, "2026-10-31"],
    ["2026-11-21", 0, "2026-11-21"],
  ])("%s and %i days is %s", (date, days, other) => {
    expect(daysAfter(date, days)).toBe(other);
    expect(daysBetween(date, other)).toBe(days);
  });
});
