import { expect, test } from "vitest";
import { phases } from "./phases.ts";
import { phaseWords } from "./status.ts";

test("Every phase reads as words, and an unknown one as it is named", () => {
  for (const phase of phases) expect(phaseWords(phase)).toMatch(/^[A-Z][a-z]*( [a-z]+)*$/);
  expect(phaseWords("AwaitingPayment")).toBe("Awaiting payment");
  expect(phaseWords("Boxed")).toBe("Boxed");
});
