import { Readable, Writable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { expect, it } from "vitest";
import { csvOptions, csvWriter } from "./csv.ts";

const cell = (value: string): string =>
  stringify([[value]], { ...csvOptions, header: false, bom: false }).trimEnd();

it.each([
  ["=1+1", "'=1+1"],
  ["+44", "'+44"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", `"'\tx"`],
])("makes %j harmless to a spreadsheet", (given, written) => {
  expect(cell(given)).toBe(written);
});

it("quotes cells with delimiters or line ends, and leaves others unchanged", () => {
  expect(cell('a "b", c')).toBe('"a ""b"", c"');
  expect(cell("a\r\nb")).toBe('"a\r\nb"');
  expect(cell("Siân Ŵyn")).toBe("Siân Ŵyn");
});

it.each(["a\r=1", "a\n=1", "\r=1", "a;=1", "a\t=1", "a,=1"])("begins no other cell in %j", (given) => {
  expect(cell(given)).toMatch(/^"[^"]+"$/);
});

/** What a cell becomes between its commas. */
async function written(cell: string): Promise<string> {
  const writer = csvWriter(["cell"]);
  writer.end({ cell });
  const text = (await writer.toArray()).join("");
  return text.replace("\u{feff}cell\r\n", "").replace(/\r\n$/, "");
}

it.each([
  ["=1+1", "'=1+1"],
  ["+441234567890", "'+441234567890"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1+1", `"'\t=1+1"`],
  ["\r=1+1", '"\'\r=1+1"'],
  ['=HYPERLINK("https://example.org","x")', '"\'=HYPERLINK(""https://example.org"",""x"")"'],
  ["＝1+1", "'＝1+1"],
])("writes no formula for %j, row by row", async (cell, expected) => {
  expect(await written(cell)).toBe(expected);
});

it.each([
  ["7K3M-9QXT-2BWHD", "7K3M-9QXT-2BWHD"],
  ["a, b", '"a, b"'],
  ["line\nbreak", '"line\nbreak"'],
])("writes %j as it is, row by row", async (cell, expected) => {
  expect(await written(cell)).toBe(expected);
});

it("reads no further than what is taken", async () => {
  let given = 0;
  const writer = csvWriter(["n"]);
  const source = async function* () {
    for (; given < 100_000; given++) yield { n: given };
  };
  const slow = new Writable({ highWaterMark: 1, write: () => undefined });
  Readable.from(source()).pipe(writer).pipe(slow);
  await expect.poll(() => given).toBeGreaterThan(0);
  const before = given;
  await new Promise((done) => setImmediate(done));
  expect(given - before).toBeLessThan(100);
  expect(given).toBeLessThan(20_000);
  slow.destroy();
});
