import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../setup/temporary-folder.ts";
import { byteNeedles, scanBytes, scanFolders, textNeedles } from "./raw-scan.ts";

const text = "Gwenllïan Ŵŷn-1837";
const surrounded = (bytes: Buffer) => Buffer.concat([randomBytes(999), bytes, randomBytes(999)]);

it.each([
  ["plain", Buffer.from(text)],
  ["decomposed", Buffer.from(text.normalize("NFD"))],
  ["UTF-16LE", Buffer.from(text, "utf16le")],
  ["UTF-16BE", Buffer.from(text, "utf16le").swap16()],
  ["hex", Buffer.from(Buffer.from(text).toString("hex"))],
  ["hex, capitals", Buffer.from(Buffer.from(text).toString("hex").toUpperCase())],
  ["JSON-escaped", Buffer.from("Gwenll\\u00efan \\u0174\\u0177n-1837")],
  ["JSON-escaped, capitals", Buffer.from("Gwenll\\u00EFan \\u0174\\u0177n-1837")],
  ["percent-encoded", Buffer.from("Gwenll%C3%AFan%20%C5%B4%C5%B7n-1837")],
  ...["", "x", "xy", "xyz"].map((before): [string, Buffer] => [
    `base64 at ${before.length % 3}`,
    Buffer.from(Buffer.from(`${before}${text} and more`).toString("base64")),
  ]),
])("finds a text encoded as %s", (name, written) => {
  expect(scanBytes(surrounded(written), textNeedles(text))).toContain(name);
});

it("finds a key raw, in hex and in base64, and nothing otherwise", () => {
  const key = randomBytes(32);
  for (const written of [key, Buffer.from(key.toString("hex")), Buffer.from(key.toString("base64"))]) {
    expect(scanBytes(surrounded(written), byteNeedles(key))).not.toEqual([]);
  }
  expect(scanBytes(randomBytes(1_000_000), byteNeedles(key))).toEqual([]);
});

it("finds what a running server renames while it is scanned", () => {
  const folder = temporaryFolder("raw-scan");
  const at = (name: string) => join(folder, name);
  writeFileSync(at("1"), "");
  writeFileSync(at("2"), text);
  let isRenamed = false;
  const read = (path: string) => {
    if (!isRenamed) renameSync(at("2"), at("0"));
    isRenamed = true;
    return readFileSync(path);
  };
  expect(scanFolders([folder], textNeedles(text), read)).toEqual([`plain in ${at("0")}`]);
});
