import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groFees, returnedWhenNotFoundPence } from "./fees.ts";
import { formatPounds, penceOf, poundsOf } from "./money.ts";
import { priceOf } from "./price.ts";
import { type PriceList, possibleQuotes, priceListAt, priceLists } from "./price-list.ts";

const now = "2026-11-23T09:30:00.000Z";
const types = ["Birth", "Death", "Marriage", "Adoption"] as const;

describe("the price", () => {
  it.each(types)("of a %s certificate is £45 standard and £75 priority", (certificateType) => {
    const price = (serviceLevel: "standard" | "priority") =>
      priceOf({ certificateType, serviceLevel, copies: 1, groReferenceKnown: true }, now).totalPence;
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
        const { totalPence, unitPricePence, feePerCopy } = priceOf(choice, now);
        expect(totalPence).toBe(unitPricePence * choice.copies);
        expect(feePerCopy.groFeePence + feePerCopy.groSearchFeePence + feePerCopy.ourFeePence).toBe(
          unitPricePence,
        );
        expect(feePerCopy.ourFeePence).toBeGreaterThan(0);
        expect(possibleQuotes(now).has(totalPence)).toBe(true);
      }),
    );
  });

  it("holds the GRO's fees of 13 November 2024", () => {
    const { feePerCopy } = priceOf(
      { certificateType: "Birth", serviceLevel: "priority", copies: 1, groReferenceKnown: false },
      now,
    );
    expect(feePerCopy).toEqual({ groFeePence: 3850, groSearchFeePence: 350, ourFeePence: 3300 });
    expect(groFees.feePence.standard).toBe(1250);
    expect(returnedWhenNotFoundPence(feePerCopy, 2)).toBe(7600);
  });

  it("can make nine sums and no others", () => {
    expect([...possibleQuotes(now)].sort((a, b) => a - b)).toEqual([
      4500, 7500, 9000, 13_500, 15_000, 18_000, 22_500, 30_000, 37_500,
    ]);
  });
});

describe("the price list", () => {
  const next: PriceList = { ...priceLists[0], version: 2, effectiveFrom: "2027-01-01" };
  const versionAt = (at: string) => priceListAt(at, [priceLists[0], next]).version;

  it("changes on its day, and the first holds for all time before", () => {
    expect(versionAt("2026-12-31T23:59:59.999Z")).toBe(1);
    expect(versionAt("2027-01-01T00:00:00.000Z")).toBe(2);
    expect(versionAt("1999-01-01T00:00:00.000Z")).toBe(1);
  });

  it("is in order, by version and by day", () => {
    const days = priceLists.map(({ effectiveFrom }) => effectiveFrom);
    expect(days).toEqual([...days].sort());
    expect(priceLists.map(({ version }) => version)).toEqual(priceLists.map((_, index) => index + 1));
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
