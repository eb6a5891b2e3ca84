import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { constants, inflateRawSync, inflateSync, type ZlibOptions, zstdDecompressSync } from "node:zlib";
import type { Needle } from "../../testing/vault/raw-scan.ts";

/** What must not be found, or must be: whose it is, and how it may be written. */
export type Sought = { readonly of: string; readonly needles: readonly Needle[] };

export type Found = { readonly of: string; readonly encoding: string; readonly place: string };

/** Searches for any number of byte patterns at once, in bytes and in what is compressed in them. */
export type Scanner = {
  scanBytes(bytes: Buffer, place: string): Found[];
  /** Every byte of every file below the folders. */
  scanFolders(folders: readonly string[]): Scan;
};

export type Scan = { readonly found: readonly Found[]; readonly files: number; readonly bytes: number };

/** Patterns are told apart by so many first bytes; none may be shorter. */
const prefixBytes = 7;
const chunkBytes = 16 * 1024 * 1024;

type Pattern = { readonly of: string; readonly encoding: string; readonly bytes: Buffer };

/** @throws RangeError for a pattern too short to be told from random bytes */
export function createScanner(sought: readonly Sought[]): Scanner {
  const byPrefix = new Map<string, Pattern[]>();
  // One bit for the hash of the first four bytes: nearly every place of a file is passed over by it.
  const count = sought.reduce((sum, { needles }) => sum + needles.length, 1);
  const filterBits = Math.min(30, Math.ceil(Math.log2(count)) + 5);
  const hashOf = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - filterBits);
  const filter = new Uint8Array(2 ** (filterBits - 3));
  let longest = 0;
  for (const { of, needles } of sought)
    for (const { name, bytes } of needles) {
      if (bytes.length < prefixBytes) throw new RangeError(`A pattern of ${of} is too short: ${name}.`);
      const prefix = bytes.toString("latin1", 0, prefixBytes);
      const others = byPrefix.get(prefix) ?? [];
      // The same bytes in two encodings, such as plain and escaped, are one pattern.
      if (others.some((other) => other.of === of && other.bytes.equals(bytes))) continue;
      byPrefix.set(prefix, [...others, { of, encoding: name, bytes }]);
      const hash = hashOf(bytes.readInt32LE(0));
      filter[hash >>> 3] = (filter[hash >>> 3] ?? 0) | (1 << (hash & 7));
      longest = Math.max(longest, bytes.length);
    }

  const isPassedOver = (word: number): boolean => {
    const hash = hashOf(word);
    return ((filter[hash >>> 3] ?? 0) & (1 << (hash & 7))) === 0;
  };

  const patternsAt = (bytes: Buffer, at: number): Pattern[] =>
    (byPrefix.get(bytes.toString("latin1", at, at + prefixBytes)) ?? []).filter((pattern) =>
      bytes.subarray(at, at + pattern.bytes.length).equals(pattern.bytes),
    );

  function* matches(bytes: Buffer): Generator<Pattern> {
    const last = bytes.length - prefixBytes;
    let word = last >= 0 ? bytes.readInt32LE(0) : 0;
    for (let at = 0; at <= last; at++) {
      if (!isPassedOver(word)) yield* patternsAt(bytes, at);
      word = (word >>> 8) | ((bytes[at + 4] ?? 0) << 24);
    }
  }

  function scanBytes(bytes: Buffer, place: string): Found[] {
    const found = new Map<string, Found>();
    const take = (of: string, encoding: string) => found.set(`${of} ${encoding}`, { of, encoding, place });
    for (const { of, encoding } of matches(bytes)) take(of, encoding);
    for (const { format, content } of compressedIn(bytes))
      for (const { of, encoding } of matches(content)) take(of, `${encoding}, ${format}`);
    return [...found.values()];
  }

  function scanFile(path: string, buffer: Buffer): { found: Found[]; bytes: number } {
    const found = new Map<string, Found>();
    const file = openSync(path, "r");
    let size = 0;
    try {
      for (let kept = 0; ; ) {
        const read = readSync(file, buffer, kept, buffer.length - kept, null);
        if (read === 0) break;
        size += read;
        const filled = kept + read;
        for (const one of scanBytes(buffer.subarray(0, filled), path))
          found.set(`${one.of} ${one.encoding}`, one);
        // A pattern may go on in the next part.
        kept = Math.min(longest, filled);
        buffer.copy(buffer, 0, filled - kept, filled);
      }
    } finally {
      closeSync(file);
    }
    return { found: [...found.values()], bytes: size };
  }

  return {
    scanBytes,
    scanFolders: (folders) => {
      const buffer = Buffer.alloc(chunkBytes + longest);
      const scans = folders.flatMap(filesBelow).map((path) => scanFile(path, buffer));
      return {
        found: scans.flatMap(({ found }) => found),
        files: scans.length,
        bytes: scans.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
  };
}

const formats = [
  { format: "gzip", begins: ["1f8b08"], open: openGzip },
  { format: "zlib", begins: ["7801", "785e", "789c", "78da"], open: inflateSync },
  { format: "zstd", begins: ["28b52ffd"], open: zstdDecompressSync },
] as const;

/** Far more than any compressed part of a page or a record holds. */
const mostCompressed = 1024 * 1024;
const mostContent = 16 * 1024 * 1024;

/** Everything in the bytes that can be decompressed. Brotli has no mark to know it by. */
function* compressedIn(bytes: Buffer): Generator<{ format: string; content: Buffer }> {
  for (const { format, begins, open } of formats)
    for (const mark of begins.map((hex) => Buffer.from(hex, "hex")))
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
        const content = opened(open, bytes.subarray(at, at + mostCompressed), format);
        if (content !== undefined) yield { format, content };
      }
}

/** Node's own refuses a file with other bytes behind it. A name, if one is given, ends with a zero. */
function openGzip(bytes: Buffer, options: ZlibOptions): Buffer {
  const hasName = ((bytes[3] ?? 0) & 8) !== 0;
  return inflateRawSync(bytes.subarray(hasName ? bytes.indexOf(0, 10) + 1 : 10), options);
}

type Open = (typeof formats)[number]["open"];

/** Undefined where the mark was chance. What was cut off is opened as far as it goes. */
function opened(open: Open, bytes: Buffer, format: string): Buffer | undefined {
  const finishFlush = format === "zstd" ? constants.ZSTD_e_flush : constants.Z_SYNC_FLUSH;
  try {
    return open(bytes, { finishFlush, maxOutputLength: mostContent });
  } catch {
    return undefined;
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
