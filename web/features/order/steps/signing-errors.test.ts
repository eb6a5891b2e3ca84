import { expect, test } from "vitest";
import { boxNotice, signingErrors } from "./review.ts";

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

test("the notification names the box that is missing, the terms first", () => {
  const terms = "Please accept the terms and conditions to continue";
  expect(boxNotice({ acceptsTerms: false, asksToBegin: false })?.description).toBe(terms);
  expect(boxNotice({ acceptsTerms: false, asksToBegin: true })?.description).toBe(terms);
  expect(boxNotice({ acceptsTerms: true, asksToBegin: false })?.description).toMatch(/ask us to start now/);
  expect(boxNotice({ acceptsTerms: true, asksToBegin: true })).toBeUndefined();
});
