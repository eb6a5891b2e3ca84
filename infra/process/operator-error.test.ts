import { parseArgs } from "node:util";
import { expect, it } from "vitest";
import { wordsForOperator } from "./operator-error.ts";

function refusedWith(args: string[]): unknown {
  try {
    return parseArgs({ args, options: { until: { type: "string" }, all: { type: "boolean" } } });
  } catch (error) {
    return error;
  }
}

it.each([
  [["--unitl", "x"], "Unknown option '--unitl'"],
  [["--until"], "Option '--until <value>' argument missing"],
  [["--all=yes"], "Option '--all' does not take an argument"],
  [["--until", "--all"], "Option '--until' argument is ambiguous"],
  [["word"], "Unexpected argument 'word'"],
])("explains what is wrong with %j on a command line", (args, words) => {
  const said = wordsForOperator(refusedWith(args));
  expect(said).toContain(words);
  expect(said.split("\n")).toHaveLength(1);
});

it("keeps the stack of an internal error", () => {
  expect(wordsForOperator(new TypeError("ours"))).toContain("\n    at ");
});
