import { expect, test, vi } from "vitest";
import { z } from "zod";
import { onceADay } from "./validate.ts";

test("What depends on today is made once a day, which begins at midnight in London", () => {
  let clock = new Date("2026-07-01T10:00:00Z");
  const schemaFor = vi.fn((today: string) => z.literal(today));
  const schema = onceADay(() => clock, schemaFor);
  const first = schema();
  expect(first.parse("2026-07-01")).toBe("2026-07-01");
  clock = new Date("2026-07-01T22:59:59Z");
  expect(schema()).toBe(first);
  clock = new Date("2026-07-01T23:00:00Z");
  expect(schema().safeParse("2026-07-01").success).toBe(false);
  expect(schema().parse("2026-07-02")).toBe("2026-07-02");
  expect(schemaFor).toHaveBeenCalledTimes(2);
});
