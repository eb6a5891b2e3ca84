import { expect, test, vi } from "vitest";
import { z } from "zod";
import { londonDay, schemaOfToday } from "./london-day.ts";

test.each([
  ["2026-07-01T22:59:59Z", "2026-07-01"],
  ["2026-07-01T23:00:00Z", "2026-07-02"],
  ["2026-12-31T23:59:59Z", "2026-12-31"],
  ["2027-01-01T00:00:00Z", "2027-01-01"],
])("At %s it is %s in London", (at, day) => {
  expect(londonDay(new Date(at))).toBe(day);
});

test("A schema of today is built once a day", () => {
  let clock = new Date("2026-11-21T10:00:00Z");
  const schemaFor = vi.fn((today: string) => z.literal(today));
  const schema = schemaOfToday<string>(schemaFor, () => clock);
  expect(schema().parse("2026-11-21")).toBe("2026-11-21");
  expect(schema()).toBe(schema());
  clock = new Date("2026-11-22T10:00:00Z");
  expect(schema().safeParse("2026-11-21").success).toBe(false);
  expect(schemaFor).toHaveBeenCalledTimes(2);
});
