import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderNumber as orderNumberField, reference as referenceField, ticketNumber } from "./fields.ts";
import {
  orderNumberOf,
  orderReference,
  parseOrderNumber,
  parseTicketNumber,
  ticketNumberOf,
} from "./numbers.ts";

const bits = fc.bigInt({ min: 0n, max: (1n << 60n) - 1n });
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const replaced = (text: string, at: number, symbol: string) =>
  text.slice(0, at) + symbol + text.slice(at + 1);
const bare = (number: string) => number.replaceAll("-", "");

describe("an order number", () => {
  it("is 13 symbols in three groups, and reads back", () => {
    fc.assert(
      fc.property(bits, (random) => {
        const number = orderNumberOf(random);
        expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
        expect(orderNumberField.safeParse(number).success).toBe(true);
        expect(parseOrderNumber(number)).toBe(number);
      }),
    );
  });

  it("keeps all 60 bits apart", () => {
    fc.assert(
      fc.property(bits, fc.integer({ min: 0, max: 59 }), (random, bit) => {
        expect(orderNumberOf(random)).not.toBe(orderNumberOf(random ^ (1n << BigInt(bit))));
      }),
    );
  });

  it("does not mind case, spaces, dashes and look-alikes", () => {
    fc.assert(
      fc.property(bits, (random) => {
        const number = orderNumberOf(random);
        const typed = ` ${bare(number).toLowerCase().replaceAll("0", "o").replaceAll("1", "l").split("").join(" ")}–`;
        expect(parseOrderNumber(typed)).toBe(number);
        expect(parseOrderNumber(bare(number).replaceAll("1", "I").replaceAll("0", "O"))).toBe(number);
      }),
    );
  });

  it("shows any one wrong symbol", () => {
    fc.assert(
      fc.property(bits, fc.nat(12), fc.constantFrom(...alphabet), (random, at, symbol) => {
        const number = bare(orderNumberOf(random));
        fc.pre(number[at] !== symbol);
        expect(parseOrderNumber(replaced(number, at, symbol))).toBeUndefined();
      }),
    );
  });

  it("shows any two swapped symbols", () => {
    fc.assert(
      fc.property(bits, fc.nat(12), fc.nat(12), (random, one, other) => {
        const number = bare(orderNumberOf(random));
        const [first = "", second = ""] = [number[one], number[other]];
        fc.pre(first !== second);
        const swapped = replaced(replaced(number, one, second), other, first);
        expect(parseOrderNumber(swapped)).toBeUndefined();
      }),
    );
  });

  it.each(["", "ABC", "UUUU-UUUU-UUUUU", "0000-0000-000000", "<script>"])("is not '%s'", (typed) => {
    expect(parseOrderNumber(typed)).toBeUndefined();
  });
});

describe("a reference", () => {
  it("is a year and a number below 1000", () => {
    expect(orderReference(2026, 7)).toBe("REF-2026-7");
    expect(referenceField.safeParse(orderReference(2026, 999)).success).toBe(true);
    for (const wrong of [-1, 1000, 0.5]) expect(() => orderReference(2026, wrong)).toThrow(RangeError);
  });
});

describe("a ticket number", () => {
  it("differs from an order number at first sight, and is never taken for one", () => {
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
