import { describe, expect, it } from "vitest";
import { despatchDayName, despatchMoment } from "./despatch-field.tsx";

const now = new Date("2026-11-21T09:30:00.000Z");

function momentOf(day: string): string {
  const fields = new FormData();
  fields.set(despatchDayName, day);
  return despatchMoment(fields, now);
}

describe("A despatch", () => {
  it("of another day counts from its noon", () => {
    expect(momentOf("2026-11-20")).toBe("2026-11-20T12:00:00.000Z");
  });
  it("of this morning is not still to come", () => {
    expect(momentOf("2026-11-21")).toBe(now.toISOString());
  });
  it("on no day is left to the server to refuse", () => {
    expect(momentOf("soon")).toBe("soon");
  });
});
