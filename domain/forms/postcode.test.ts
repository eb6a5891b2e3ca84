import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { questionPostcode, tidyPostcode } from "./postcode.ts";

describe("a postcode", () => {
  it.each([
    ["ng11hn", "NG1 1HN"],
    [" sw1a  1aa ", "SW1A 1AA"],
    ["m1 1ae", "M1 1AE"],
    ["NG1-1HN", "NG1 1HN"],
    ["n.g.1 1h.n.", "NG1 1HN"],
    ["somewhere", "SOMEWHERE"],
    [" The Old-Post Office ", "THE OLD-POST OFFICE"],
  ])("'%s' is tidied to '%s'", (typed, tidy) => {
    expect(tidyPostcode(typed)).toBe(tidy);
    expect(tidyPostcode(tidy)).toBe(tidy);
  });

  it.each([
    "NG1 1HN",
    "sw1a1aa",
    "EC1A 1BB",
    "W1A 0AX",
    "B33 8TH",
    "CR2 6XH",
    "GIR 0AA",
    "BF1 4AX",
    "JE2 3AB",
    "IM1 1AA",
    "BT1 5GS",
    "",
  ])("'%s' is not questioned", (postcode) => {
    expect(questionPostcode(postcode)).toBeUndefined();
  });

  it.each([
    ["12345", "12 345 does not look like a UK postcode. Is that right?"],
    ["D02 X285", "D02X 285 does not look like a UK postcode. Is that right?"],
    ["XX1 1AA", "XX1 1AA does not look like a UK postcode. Is that right?"],
    ["NG1 1CM", "NG1 1CM does not look like a UK postcode. Is that right?"],
    ["NG1", "NG1 does not look like a UK postcode. Is that right?"],
  ])("'%s' is questioned", (typed, message) => {
    expect(questionPostcode(typed)?.message).toBe(message);
    expect(questionPostcode(typed)).not.toHaveProperty("suggestion");
  });

  it.each([
    ["NG1 OHN", "NG1 0HN"],
    ["NGI 1HN", "NG1 1HN"],
    ["EC1A 188", "EC1A 1BB"],
    ["0X1 2JD", "OX1 2JD"],
    ["5W1A 1AA", "SW1A 1AA"],
  ])("'%s' was meant as '%s'", (typed, meant) => {
    expect(questionPostcode(typed)).toEqual({
      message: `${typed} does not look like a UK postcode. Did you mean ${meant}?`,
      suggestion: meant,
    });
  });

  it("that is suggested is never itself questioned, whatever was typed", () => {
    const lookAlikes = fc.string({ unit: fc.constantFrom(..."OI0158SBLZNGE 2"), maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(lookAlikes, fc.string()), (typed) => {
        const suggestion = questionPostcode(typed)?.suggestion;
        if (suggestion !== undefined) expect(questionPostcode(suggestion)).toBeUndefined();
      }),
    );
  });
});
