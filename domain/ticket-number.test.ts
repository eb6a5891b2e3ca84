import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ticketNumber } from "./fields.ts";
import { orderNumberOf, parseOrderNumber, parseTicketNumber, ticketNumberOf } from "./numbers.ts";

const bits = fc.bigInt({ min: 0n, max: 2n ** 60n - 1n });

describe("a ticket number", () => {
  it("is told from an order number at first sight, and never taken for one", () => {
    fc.assert(
      fc.property(bits, (random) => {
        expect(ticketNumberOf(random)).toBe(`T-${orderNumberOf(random)}`);
        expect(ticketNumber.safeParse(ticketNumberOf(random)).success).toBe(true);
        expect(parseOrderNumber(ticketNumberOf(random))).toBeUndefined();
      }),
    );
  });

  it("is read however it is typed, with its T or without", () => {
    fc.assert(
      fc.property(bits, fc.boolean(), fc.boolean(), (random, withT, spaced) => {
        const number = ticketNumberOf(random);
        const short = withT ? number : number.slice(2);
        const typed = spaced ? ` ${short.replaceAll("-", " ").toLowerCase()} ` : short;
        expect(parseTicketNumber(typed)).toBe(number);
      }),
    );
  });

  it.each(["", "T", "T-", "T-7K3M-9QXT", "TT-0000-0000-00000", "X-0000-0000-00000", "T-0000-0000-00001"])(
    "cannot be '%s'",
    (typed) => {
      expect(parseTicketNumber(typed)).toBeUndefined();
    },
  );
});
