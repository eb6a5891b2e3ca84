import { expect, test } from "vitest";
import { faultOf } from "./log.ts";

test("A fault is reported by its name and place", () => {
  const { name, at } = faultOf(new RangeError("Siân"));
  expect(name).toBe("RangeError");
  expect(at[0]).toMatch(/^at .*log\.test\.ts:\d+:\d+\)?$/);
});

test("A fault never tells its message, nor one of several lines that looks like places (control: its stack has them)", () => {
  const error = new Error("no JSON: Siân Rhys\n    at 1 Heol y Bont\nat Aberystwyth (/x.ts:1:1)");
  expect(error.stack).toContain("at 1 Heol y Bont");
  const text = JSON.stringify(faultOf(error));
  for (const word of ["Siân", "Heol", "Aberystwyth"]) expect(text).not.toContain(word);
});

test("A fault whose message was changed after it was thrown tells none of it", () => {
  const error = new Error("Siân\n    at 1 Heol y Bont");
  expect(error.stack).toContain("Heol");
  error.message = "something else";
  expect(JSON.stringify(faultOf(error))).not.toContain("Heol");
});

test("What is thrown and is no error is reported by its kind alone", () => {
  expect(faultOf("Siân Rhys")).toEqual({ name: "string", at: [] });
});
