import { describe, expect, it } from "vitest";
import { despatchMoment } from "./dense-field.tsx";

const now = new Date("2026-11-21T09:30:00.000Z");

function momentOf(day: string): string {
  const fields = new FormData();
  fields.set("dispatchedOn", day);
  return despatchMoment(fields, now);
}

describe("A despatch", () => {
  it("on another day is at noon", () => {
    expect(momentOf("2026-11-20")).toBe("2026-11-20T12:00:00.000Z");
  });
  it("this morning is not in the future", () => {
    expect(momentOf("2026-11-21")).toBe(now.toISOString());
  });
  it("without a valid day is left for the server to reject", () => {
    expect(momentOf("soon")).toBe("soon");
  });
});
