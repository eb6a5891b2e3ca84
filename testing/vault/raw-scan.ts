import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A byte pattern to find, and its encoding. */
export type Needle = { name: string; bytes: Buffer };

/** Every possible encoding of a text: plain, UTF-16, hex, base64, escaped. */
export function textNeedles(text: string): Needle[] {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, "utf16le");
  const escaped = (write: (unit: number) => string) =>
    Buffer.from(Array.from({ length: text.length }, (_, at) => escapeAt(text, at, write)).join(""));
  return [
    { name: "plain", bytes: utf8 },
    { name: "decomposed", bytes: Buffer.from(text.normalize("NFD")) },
    { name: "UTF-16LE", bytes: utf16 },
    { name: "UTF-16BE", bytes: Buffer.from(utf16).swap16() },
    { name: "JSON-escaped", bytes: escaped((unit) => `\\u${unit.toString(16).padStart(4, "0")}`) },
    {
      name: "JSON-escaped, capitals",
      bytes: escaped((unit) => `\\u${unit.toString(16).padStart(4, "0").toUpperCase()}`),
    },
    { name: "percent-encoded", bytes: Buffer.from(encodeURIComponent(text)) },
    ...encodedNeedles(utf8),
  ];
}

/** Every possible encoding of bytes, such as a key. */
export function byteNeedles(bytes: Buffer): Needle[] {
  return [{ name: "raw", bytes }, ...encodedNeedles(bytes)];
}

function encodedNeedles(bytes: Buffer): Needle[] {
  const hex = bytes.toString("hex");
  // Base64 of a text depends on its offset in a longer one; characters that include neighbouring bytes are cut off.
  const base64 = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return (["base64", "base64url"] as const).map((encoding) => ({
      name: `${encoding} at ${offset}`,
      bytes: Buffer.from(shifted.toString(encoding).slice(from, to)),
    }));
  });
  return [
    { name: "hex", bytes: Buffer.from(hex) },
    { name: "hex, capitals", bytes: Buffer.from(hex.toUpperCase()) },
    ...base64,
  ];
}

function escapeAt(text: string, at: number, write: (unit: number) => string): string {
  const unit = text.charCodeAt(at);
  return unit < 128 ? text.charAt(at) : write(unit);
}

const mostScans = 20;

/**
 * Scans every byte of every file below the folders, and returns the matches as "name in path". Begins anew when a file
 * goes between listing and reading it: a running server removes and renames some of its own.
 */
export function scanFolders(
  folders: readonly string[],
  needles: readonly Needle[],
  read: (path: string) => Buffer = readFileSync,
): string[] {
  for (let scans = 1; ; scans += 1) {
    try {
      return folders
        .flatMap(filesBelow)
        .flatMap((path) => scanBytes(read(path), needles).map((name) => `${name} in ${path}`));
    } catch (error) {
      if (!isGone(error) || scans === mostScans) throw error;
    }
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

export function scanBytes(bytes: Buffer, needles: readonly Needle[]): string[] {
  return needles.filter((needle) => bytes.includes(needle.bytes)).map(({ name }) => name);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
