import { Readable, Writable } from "node:stream";
import { expect, it } from "vitest";
import { csvWriter } from "./orders-csv.ts";

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
  ["\t=1+1", "'\t=1+1"],
  ["\r=1+1", '"\'\r=1+1"'],
  ['=HYPERLINK("https://example.org","x")', '"\'=HYPERLINK(""https://example.org"",""x"")"'],
  ["＝1+1", "'＝1+1"],
])("makes no formula of %j", async (cell, expected) => {
  expect(await written(cell)).toBe(expected);
});

it.each([
  ["7K3M-9QXT-2BWHD", "7K3M-9QXT-2BWHD"],
  ["a, b", '"a, b"'],
  ["line\nbreak", '"line\nbreak"'],
])("leaves %j as it is", async (cell, expected) => {
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
