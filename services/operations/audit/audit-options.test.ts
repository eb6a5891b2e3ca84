import { expect, it } from "vitest";
import { readOptions } from "./audit-options.ts";

const usual = { kind: "whole", atOnce: 2, mark: undefined, files: [], afresh: false, rebuildsTree: false };

it("reads everything, two parts at once, unless told otherwise", () => {
  expect(readOptions([])).toEqual(usual);
  expect(
    readOptions([
      "--new-events",
      "--at-once",
      "4",
      "--seen",
      "a",
      "--seen",
      "b",
      "--afresh",
      "--rebuild-tree",
    ]),
  ).toEqual({ ...usual, kind: "new-events", atOnce: 4, files: ["a", "b"], afresh: true, rebuildsTree: true });
});

it("takes the mark of the log to accept, and none to be told it", () => {
  expect(readOptions(["--accept", "0123abcd"]).mark).toBe("0123abcd");
  expect(readOptions(["--accept"]).mark).toBe("");
  expect(readOptions(["--accept", "--at-once", "1"])).toEqual({ ...usual, mark: "", atOnce: 1 });
});

it.each([["0"], ["33"], ["two"], ["1.5"]])("refuses %s parts at once", (number) => {
  expect(() => readOptions(["--at-once", number])).toThrow("from 1 to 32");
});

it("refuses what it does not know", () => {
  expect(() => readOptions(["--acept"])).toThrow("--acept");
});
