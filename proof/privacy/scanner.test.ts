import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { byteNeedles, textNeedles } from "../../testing/vault/raw-scan.ts";
import { createScanner } from "./scanner.ts";

const name = "Gwenllïan Ŵŷn";
const key = randomBytes(32);
const sought = [
  { of: "name", needles: textNeedles(name) },
  { of: "key", needles: byteNeedles(key) },
];
const scanner = createScanner(sought);
const foundIn = (bytes: Buffer) =>
  scanner.scanBytes(bytes, "here").map(({ of, encoding }) => `${of}, ${encoding}`);
const among = (bytes: Buffer) => Buffer.concat([randomBytes(999), bytes, randomBytes(999)]);

it("finds each encoding that a single search finds, in the middle, at the beginning and at the end", () => {
  // Some encodings of a text are the same bytes; one of their names is given.
  for (const { of, needles } of sought)
    for (const { name: encoding, bytes } of needles)
      for (const written of [bytes, among(bytes), Buffer.concat([randomBytes(9), bytes])])
        expect(
          foundIn(written).some((found) => found.startsWith(of)),
          encoding,
        ).toBe(true);
});

it.each([
  ["gzip", gzipSync],
  ["zlib", deflateSync],
  ["zstd", zstdCompressSync],
] as const)("finds what is compressed by %s, whole and cut off", (format, compress) => {
  const compressed = compress(`${"It is ".repeat(20)}${name}`);
  expect(foundIn(among(compressed))).toContain(`name, plain, ${format}`);
  const long = compress(Buffer.concat([Buffer.from(name.repeat(5)), randomBytes(500_000)]));
  expect(foundIn(long.subarray(0, 300_000))).toContain(`name, plain, ${format}`);
});

it("finds nothing in random bytes", () => {
  expect(foundIn(randomBytes(1_000_000))).toEqual([]);
});

it("finds what lies across two parts of a large file", () => {
  const folder = temporaryFolder("scanner");
  const size = 33 * 1024 * 1024;
  const longest = Math.max(...sought.flatMap(({ needles }) => needles.map(({ bytes }) => bytes.length)));
  for (const shift of [-20, -7, -1, 0, 1, longest]) {
    const bytes = Buffer.alloc(size);
    key.copy(bytes, 16 * 1024 * 1024 + shift);
    writeFileSync(join(folder, "file"), bytes);
    const { found, ...scanned } = scanner.scanFolders([folder]);
    expect(found.map(({ of, encoding }) => `${of}, ${encoding}`)).toEqual(["key, raw"]);
    expect(scanned).toEqual({ files: 1, bytes: size });
  }
});

it("refuses a pattern that random bytes would match", () => {
  expect(() => createScanner([{ of: "Jo", needles: textNeedles("Jo") }])).toThrow(RangeError);
});
