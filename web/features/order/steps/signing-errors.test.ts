import { expect, test } from "vitest";
import { signingErrors } from "./signing-errors.ts";

test("all that is missing is named in the order of the page", () => {
  const missing = signingErrors({ signature: "  ", acceptsTerms: false, asksToBegin: false });
  expect(missing.map(({ id }) => id)).toEqual(["signature", "accept-terms", "ask-to-begin"]);
});

test("the terms box has the specification's words", () => {
  const [missing] = signingErrors({ signature: "Jo", acceptsTerms: false, asksToBegin: true });
  expect(missing?.message).toBe("Please accept the terms and conditions to continue");
});

test("nothing is missing once signed and ticked", () => {
  expect(signingErrors({ signature: "Jo", acceptsTerms: true, asksToBegin: true })).toEqual([]);
});
