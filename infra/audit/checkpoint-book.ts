import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { z } from "zod";
import { hasCode } from "../key-ring/durable-files.ts";
import { recordedInstant } from "../recorded-instant.ts";
import { putAside } from "../transparency/checkpoint-file.ts";
import { isSignedBy, type SignerKey, type SignerKeys } from "./signer-keys.ts";

const hex = z.string().regex(/^[0-9a-f]{64}$/);

const signedCheckpoint = z.strictObject({
  logId: z.string(),
  position: z.string(),
  eventId: z.string(),
  count: z.int().min(1),
  rollingHash: hex,
  /** ISO 8601 in UTC. */
  at: recordedInstant,
  /** True when the operator accepted a log that disagreed with the earlier checkpoints. */
  baseline: z.boolean(),
  /** SHA-256 of the previous line, null on the first. */
  previous: hex.nullable(),
  /** RSA with SHA-256 over the canonical JSON of the other fields, in base64. */
  signature: z.string(),
});

export type SignedCheckpoint = z.output<typeof signedCheckpoint>;

/** The checkpoints were changed, or their copies disagree. */
export class BookBroken extends Error {
  override name = "BookBroken";
}

/**
 * The checkpoints that builds before the transparency log's signed, kept beside the keys. Nothing is added to them; they
 * are compared with the log for as long as they are there.
 */
export type CheckpointBook = {
  /** All, oldest first, with every signature and link checked. @throws BookBroken */
  read(): Promise<readonly SignedCheckpoint[]>;
  /** The newest, its signature checked; the rest is not read. @throws BookBroken */
  last(): Promise<SignedCheckpoint | undefined>;
  /** Puts the book aside, under a name with this moment: a restored log was accepted, which it contradicts. */
  supersede(at: Date): Promise<void>;
};

const fileName = "checkpoints.jsonl";

/** @param options.folders KEY_DIR, and KEY_MIRROR_DIR if set; the book is `audit/checkpoints.jsonl` in each */
export function openCheckpointBook(options: {
  folders: readonly string[];
  keys: Pick<SignerKeys, "read">;
}): CheckpointBook {
  const homes = options.folders.map((folder) => join(folder, "audit"));
  const files = homes.map((home) => join(home, fileName));

  return {
    async read() {
      const lines = longest(await Promise.all(files.map(linesOf)));
      if (lines.length === 0) return [];
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
      const ends = await Promise.all(files.map(endOf));
      // A copy may lack the newest lines.
      const [{ line } = { line: undefined }] = ends.toSorted((one, other) => other.bytes - one.bytes);
      if (line === undefined) return undefined;
      const parsed = signedCheckpoint.safeParse(parseLine(line, "The newest checkpoint"));
      if (!parsed.success || !inTurn(await options.keys.read())(parsed.data))
        throw new BookBroken("The newest checkpoint is not what was signed.");
      return parsed.data;
    },
    async supersede(at) {
      for (const home of homes) await putAside(home, fileName, at);
    },
  };
}

/** Checks signatures in order: once a key has signed, older keys no longer count. */
function inTurn(keys: readonly SignerKey[]): (checkpoint: SignedCheckpoint) => boolean {
  let youngest = 0;
  return ({ signature, ...rest }) => {
    const bytes = Buffer.from(canonicalize(rest) ?? "");
    const by = keys.findIndex(
      ({ publicKeyPem }, at) => at >= youngest && isSignedBy(publicKeyPem, bytes, signature),
    );
    if (by >= 0) youngest = by;
    return by >= 0;
  };
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
