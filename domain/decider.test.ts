import { expect, test } from "vitest";
import { Refused } from "./decider.ts";

test("A refusal is made without a stack, and other errors keep theirs", () => {
  const refused = new Refused({ code: "forbidden-in-phase", phase: "Completed", rule: "closed" });
  expect(refused.stack).not.toContain("decider.test.ts");
  expect(new Error("a fault").stack).toContain("decider.test.ts");
});
