import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPounds, penceOf, poundsOf } from "./money.ts";
import {
  firstPriceList,
  groFees,
  isPossibleQuote,
  type PriceList,
  type PriceLists,
  pricedAlike,
  priceListAt,
  priceOf,
  pricesAcross,
  returnedWhenNotFoundPence,
} from "./price-list.ts";
import { priceLists } from "./price-list-fields.ts";

const types = ["Birth", "Death", "Marriage", "Adoption"] as const;

describe("the price", () => {
  it.each(types)("of a %s certificate is £45 standard and £75 priority", (certificateType) => {
    const price = (serviceLevel: "standard" | "priority") =>
      priceOf({ certificateType, serviceLevel, copies: 1, groReferenceKnown: true }, firstPriceList)
        .totalPence;
    expect([price("standard"), price("priority")]).toEqual([4500, 7500]);
  });

  it("is broken down into three parts that add up, for any choice", () => {
    const choices = fc.record({
      certificateType: fc.constantFrom(...types),
      serviceLevel: fc.constantFrom("standard" as const, "priority" as const),
      copies: fc.integer({ min: 1, max: 5 }),
      groReferenceKnown: fc.boolean(),
    });
    fc.assert(
      fc.property(choices, (choice) => {
        const { totalPence, unitPricePence, feePerCopy } = priceOf(choice, firstPriceList);
        expect(totalPence).toBe(unitPricePence * choice.copies);
        expect(feePerCopy.groFeePence + feePerCopy.groSearchFeePence + feePerCopy.ourFeePence).toBe(
          unitPricePence,
        );
        expect(feePerCopy.ourFeePence).toBeGreaterThan(0);
        expect(isPossibleQuote(totalPence, firstPriceList)).toBe(true);
      }),
    );
  });

  it("holds the GRO's fees of 13 November 2024", () => {
    const { feePerCopy } = priceOf(
      { certificateType: "Birth", serviceLevel: "priority", copies: 1, groReferenceKnown: false },
      firstPriceList,
    );
    expect(feePerCopy).toEqual({ groFeePence: 3850, groSearchFeePence: 350, ourFeePence: 3300 });
    expect(groFees.feePence.standard).toBe(1250);
    expect(returnedWhenNotFoundPence(feePerCopy, 2)).toBe(7600);
  });

  it("can make nine sums and no others", () => {
    const sums = Array.from({ length: 50_001 }, (_, pence) => pence);
    expect(sums.filter((pence) => isPossibleQuote(pence, firstPriceList))).toEqual([
      4500, 7500, 9000, 13_500, 15_000, 18_000, 22_500, 30_000, 37_500,
    ]);
  });
});

describe("the price list", () => {
  const later: PriceList = { ...firstPriceList, version: 2, effectiveFrom: "2027-01-01" };
  const summer: PriceList = { ...firstPriceList, version: 3, effectiveFrom: "2027-07-01" };
  const lists: PriceLists = [firstPriceList, later, summer];
  const versionAt = (at: string) => priceListAt(at, lists).version;

  it("changes on its day, and the first holds for all time before", () => {
    expect(versionAt("2026-12-31T23:59:59.999Z")).toBe(1);
    expect(versionAt("2027-01-01T00:00:00.000Z")).toBe(2);
    expect(versionAt("1999-01-01T00:00:00.000Z")).toBe(1);
  });

  it("changes at midnight in London, which in summer comes an hour before the day does in UTC", () => {
    expect(versionAt("2027-06-30T22:59:59.999Z")).toBe(2);
    expect(versionAt("2027-06-30T23:00:00.000Z")).toBe(3);
  });

  it("is read from outside only if there is one at least, and nothing beside its fields", () => {
    expect(priceLists.safeParse(lists).success).toBe(true);
    expect(priceLists.safeParse([]).success).toBe(false);
    expect(priceLists.safeParse([{ ...firstPriceList, note: "ours" }]).success).toBe(false);
  });
});

describe("types that cost the same", () => {
  it("stand together, so that a table says whose fees it shows", () => {
    const { Birth } = firstPriceList.unitPricePence;
    expect(pricedAlike(firstPriceList)).toEqual([{ types: [...types], prices: Birth }]);
    const dearer = { standard: 4900, priority: 7900 };
    const list = { ...firstPriceList, unitPricePence: { ...firstPriceList.unitPricePence, Death: dearer } };
    expect(pricedAlike(list)).toEqual([
      { types: ["Birth", "Marriage", "Adoption"], prices: Birth },
      { types: ["Death"], prices: dearer },
    ]);
    expect(pricesAcross(list)).toEqual({ standard: 4500, priority: 7500, isOne: false });
    expect(pricesAcross(firstPriceList)).toEqual({ ...Birth, isOne: true });
  });
});

describe("money", () => {
  it.each([
    [4500, "£45.00"],
    [0, "£0.00"],
    [5, "£0.05"],
    [123_456_789, "£1,234,567.89"],
  ])("%i pence is written %s", (pence, written) => {
    expect(formatPounds(pence)).toBe(written);
  });

  it("survives the way to pounds and back, and refuses parts of a penny", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (pence) => {
        expect(penceOf(poundsOf(pence))).toBe(pence);
      }),
    );
    expect(penceOf(45.001)).toBeUndefined();
    expect(penceOf(Number.NaN)).toBeUndefined();
    expect(penceOf(Number.POSITIVE_INFINITY)).toBeUndefined();
  });
});
