import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import canonicalize from "canonicalize";
import { z } from "zod";
import { hasCode, privateFolder, syncFolder } from "../key-ring/durable-file.ts";
import { isSignedBy, type SignerKey, type SignerKeys } from "./signer-keys.ts";

const hex = z.string().regex(/^[0-9a-f]{64}$/);

const signedCheckpoint = z.strictObject({
  logId: z.string(),
  position: z.string(),
  eventId: z.string(),
  count: z.int().min(1),
  rollingHash: hex,
  /** ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** True when the operator accepted a log that disagreed with the earlier checkpoints. */
  baseline: z.boolean(),
  /** SHA-256 of the previous line, null on the first. */
  previous: hex.nullable(),
  /** RSA with SHA-256 over the canonical JSON of the other fields, in base64. */
  signature: z.string(),
});

export type SignedCheckpoint = z.output<typeof signedCheckpoint>;
type Checkpoint = Omit<SignedCheckpoint, "previous" | "signature">;

/** The checkpoints were changed, or their copies disagree. */
export class BookBroken extends Error {
  override name = "BookBroken";
}

/** Signed checkpoints of the log, kept beside the keys, out of reach of anyone who can change only the database. */
export type CheckpointBook = {
  /** All, oldest first, with every signature and link checked. @throws BookBroken */
  read(): Promise<readonly SignedCheckpoint[]>;
  /** The newest, its signature checked; the rest is not read. @throws BookBroken */
  last(): Promise<SignedCheckpoint | undefined>;
  /** Written and synced in every folder when it resolves. @throws BookBroken */
  append(checkpoint: Checkpoint): Promise<SignedCheckpoint>;
};

const fileName = "checkpoints.jsonl";

/**
 * Reads the keys each time, so that every process signs with the newest as soon as it exists: later signatures by an
 * older key are rejected.
 * @param options.folders KEY_DIR, and KEY_MIRROR_DIR if set; the book is `audit/checkpoints.jsonl` in each
 */
export function openCheckpointBook(options: {
  folders: readonly string[];
  keys: Pick<SignerKeys, "read" | "current">;
}): CheckpointBook {
  const files = options.folders.map((folder) => join(folder, "audit", fileName));

  return {
    async read() {
      const lines = longest(await Promise.all(files.map(linesOf)));
      const isSigned = inTurn(await options.keys.read());
      return lines.map((line, index) => {
        const parsed = signedCheckpoint.safeParse(parseLine(line, `Checkpoint ${index + 1}`));
        const linked = parsed.data?.previous === (index === 0 ? null : hashOf(lines[index - 1] ?? ""));
        if (!parsed.success || !linked || !isSigned(parsed.data))
          throw new BookBroken(`Checkpoint ${index + 1} is not what was signed.`);
        return parsed.data;
      });
    },
    async last() {
      const line = await lastLineOfAll(files);
      if (line === undefined) return undefined;
      const parsed = signedCheckpoint.safeParse(parseLine(line, "The newest checkpoint"));
      if (!parsed.success || !inTurn(await options.keys.read())(parsed.data))
        throw new BookBroken("The newest checkpoint is not what was signed.");
      return parsed.data;
    },
    async append(checkpoint) {
      const last = await lastLineOfAll(files);
      const signer = await options.keys.current();
      const unsigned = { ...checkpoint, previous: last === undefined ? null : hashOf(last) };
      const signed = { ...unsigned, signature: signer.sign(signedBytes(unsigned)) };
      for (const file of files) await write(file, `${JSON.stringify(signed)}\n`);
      return signed;
    },
  };
}

/** Checks signatures in order: once a key has signed, older keys no longer count. */
function inTurn(keys: readonly SignerKey[]): (checkpoint: SignedCheckpoint) => boolean {
  let youngest = 0;
  return ({ signature, ...rest }) => {
    const bytes = signedBytes(rest);
    const by = keys.findIndex(
      ({ publicKeyPem }, at) => at >= youngest && isSignedBy(publicKeyPem, bytes, signature),
    );
    if (by >= 0) youngest = by;
    return by >= 0;
  };
}

/** Completes a copy that is missing lines first. */
async function lastLineOfAll(files: readonly string[]): Promise<string | undefined> {
  const ends = await Promise.all(files.map(endOf));
  const [first] = ends;
  if (ends.every(({ line }) => line === first?.line)) return first?.line;
  const copies = await Promise.all(files.map(linesOf));
  const whole = longest(copies);
  for (const [index, file] of files.entries()) {
    const missing = whole.slice(copies[index]?.length ?? 0);
    await write(file, missing.map((line) => `${line}\n`).join(""));
  }
  return whole.at(-1);
}

function signedBytes(checkpoint: Omit<SignedCheckpoint, "signature">): Buffer {
  const text = canonicalize(checkpoint);
  if (text === undefined) throw new TypeError("A checkpoint is always JSON.");
  return Buffer.from(text);
}

const hashOf = (line: string): string => createHash("sha256").update(line).digest("hex");

function parseLine(line: string, name: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new BookBroken(`${name} cannot be read.`, { cause: error });
  }
}

/** Whole lines only: an unfinished line after a crash was never confirmed. */
async function linesOf(file: string): Promise<string[]> {
  try {
    const text = await readFile(file, "utf8");
    return text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .filter(Boolean);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** A copy may lack the newest lines, but must not hold different ones. */
function longest(copies: readonly (readonly string[])[]): string[] {
  const longestCopy = copies.reduce((best, copy) => (copy.length > best.length ? copy : best), []);
  for (const copy of copies) {
    if (copy.some((line, index) => line !== longestCopy[index]))
      throw new BookBroken("The copies of the checkpoints do not agree.");
  }
  return [...longestCopy];
}

/** A line takes about 900 bytes. */
const tailBytes = 8_192;

/** The last whole line and where it ends, without reading a file that may have grown for years. */
async function endOf(file: string): Promise<{ line: string | undefined; bytes: number }> {
  try {
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      const start = Math.max(0, size - tailBytes);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
      return { line: buffer.toString("utf8", 0, end).split("\n").at(-2), bytes: start + end };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return { line: undefined, bytes: 0 };
    throw error;
  }
}

async function write(file: string, text: string): Promise<void> {
  await privateFolder(dirname(file));
  const { bytes } = await endOf(file);
  const handle = await open(file, "a", 0o600);
  try {
    await handle.truncate(bytes);
    await handle.appendFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  if (bytes === 0) await syncFolder(dirname(file));
}
