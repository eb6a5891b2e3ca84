import { expect, it } from "vitest";
import { wordsForOperator } from "./operator-error.ts";

it("keeps the stack of an internal error", () => {
  expect(wordsForOperator(new TypeError("ours"))).toContain("\n    at ");
});
