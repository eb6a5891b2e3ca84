import { describe, expect, it } from "vitest";
import {
  asked,
  looked,
  said,
  sampleTicketCommand as sample,
  type TicketResult,
  ticketAfter,
  ticketIn,
} from "../../testing/domain/ticket-fixture.ts";

const reveal = sample.RevealPersonalData;
/** Open since 0, looked at by staff_1 at 100. */
const lookedAt: readonly TicketResult[] = [...ticketIn.Open, [looked(), 100]];

describe("revealing the texts of a ticket", () => {
  it("is an event that names who and why", () => {
    expect(asked(ticketIn.Open, reveal, said("staff", 100))).toEqual([looked()]);
  });

  it("goes on for a quarter of an hour, and is not recorded twice", () => {
    expect(asked(lookedAt, reveal, said("staff", 101))).toEqual([]);
    expect(asked(lookedAt, reveal, said("staff", 100 + 900 - 1))).toEqual([]);
  });

  it("is another one after that, however often the page asked in between", () => {
    expect(asked(lookedAt, reveal, said("staff", 100 + 900))).toEqual([looked()]);
  });

  it("of one person is none of another's", () => {
    const other = { ...said("staff", 101), actor: { kind: "staff", id: "staff_2" } as const };
    expect(asked(lookedAt, reveal, other)).toEqual([looked("staff_2")]);
  });

  it("for another reason is another look", () => {
    const data = { reason: "subjectAccess" } as const;
    expect(asked(lookedAt, { type: "RevealPersonalData", data }, said("staff", 101))).toMatchObject([
      { data: { reason: "subjectAccess" } },
    ]);
  });

  it("is for staff only", () => {
    for (const kind of ["customer", "system"] as const) {
      expect(() => asked(ticketIn.Open, reveal, said(kind))).toThrow(
        expect.objectContaining({ rule: "staff-only" }),
      );
    }
  });

  it("keeps the last look of each person", () => {
    const { looks } = ticketAfter([...lookedAt, [looked("staff_2"), 200], [looked(), 2000]]);
    expect(looks.map(({ staffId }) => staffId)).toEqual(["staff_2", "staff_1"]);
  });
});
