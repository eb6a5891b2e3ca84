import { stringify } from "csv-stringify/sync";
import { expect, it } from "vitest";
import { csvOptions } from "./csv.ts";

const cell = (value: string): string =>
  stringify([[value]], { ...csvOptions, header: false, bom: false }).trimEnd();

it.each([
  ["=1+1", "'=1+1"],
  ["+44", "'+44"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
])("makes %j harmless to a spreadsheet", (given, written) => {
  expect(cell(given)).toBe(written);
});

it("quotes cells with delimiters or line ends, and leaves others unchanged", () => {
  expect(cell('a "b", c')).toBe('"a ""b"", c"');
  expect(cell("a\r\nb")).toBe('"a\r\nb"');
  expect(cell("Siân Ŵyn")).toBe("Siân Ŵyn");
});

it.each(["a\r=1", "a\n=1", "\r=1"])("allows no line end inside a cell: %j", (given) => {
  expect(cell(given)).toMatch(/^"[^"]+"$/);
});
