import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { hasCode, replaceFile } from "../key-ring/durable-files.ts";
import { recordedInstant } from "../recorded-instant.ts";
import { base64Of, fromBase64 } from "../transparency/formats/bytes.ts";
import { GrowingTree } from "./growing-tree.ts";

/** How far a log was read and found intact, and what is needed to go on from there. */
export type ReadState = {
  readonly logId: string;
  /** Of the last event read. */
  readonly position: string;
  readonly eventId: string;
  readonly streams: number;
  /** Signed checkpoints that were compared. */
  readonly checkpoints: number;
  readonly rollingHash: string;
  readonly tree: GrowingTree;
};

/**
 * What audits keep from one to the next, in files beside the keys: who can change the database alone cannot make an
 * audit skip events. Without them, or when they belong to another log, an audit begins at the first event.
 */
export type AuditProgress = {
  /** The newest signed checkpoint with which the log agreed. */
  verified(logId: string): Promise<ReadState | undefined>;
  keepVerified(state: ReadState): Promise<void>;
  /** Where a whole read stopped that was killed, unless that is too long ago. */
  unfinished(logId: string, now: Date): Promise<ReadState | undefined>;
  keepUnfinished(state: ReadState, now: Date): Promise<void>;
  /** The whole read has ended. */
  finish(): Promise<void>;
  /** Forgets everything: a restored log was accepted. */
  forget(): Promise<void>;
};

const resumedWithinMs = 24 * 3_600_000;

const verifiedFile = "verified.json";
const unfinishedFile = "whole-read.json";

const state = z.strictObject({
  logId: z.string(),
  savedAt: recordedInstant.optional(),
  size: z.int().min(0),
  position: z.string(),
  eventId: z.string(),
  streams: z.int().min(0),
  checkpoints: z.int().min(0),
  rollingHash: z.string().regex(/^[0-9a-f]{64}$/),
  subtrees: z.array(z.base64().length(44)),
});

/** @param folder KEY_DIR; the files are in its folder `audit` */
export function openAuditProgress(folder: string): AuditProgress {
  const home = join(folder, "audit");
  const keep = (name: string, { tree, ...rest }: ReadState, savedAt?: Date) => {
    const subtrees = tree.subtrees.map(base64Of);
    const text = { ...rest, size: tree.size, subtrees, ...(savedAt && { savedAt: savedAt.toISOString() }) };
    return replaceFile(home, name, Buffer.from(`${JSON.stringify(text)}\n`));
  };
  const remove = (name: string) => rm(join(home, name), { force: true });
  return {
    verified: async (logId) => stateIn(await readIfThere(join(home, verifiedFile)), logId),
    keepVerified: (verified) => keep(verifiedFile, verified),
    unfinished: async (logId, now) =>
      stateIn(
        await readIfThere(join(home, unfinishedFile)),
        logId,
        new Date(now.getTime() - resumedWithinMs),
      ),
    keepUnfinished: (reached, now) => keep(unfinishedFile, reached, now),
    finish: () => remove(unfinishedFile),
    forget: async () => {
      await remove(verifiedFile);
      await remove(unfinishedFile);
    },
  };
}

/** Undefined for a file that is damaged, of another log, or older than it may be. */
function stateIn(text: string | undefined, logId: string, since?: Date): ReadState | undefined {
  const parsed = state.safeParse(parseJson(text)).data;
  if (parsed?.logId !== logId) return undefined;
  const { savedAt, size, subtrees, ...rest } = parsed;
  if (since && !(savedAt && new Date(savedAt) >= since)) return undefined;
  try {
    const tree = new GrowingTree(
      size,
      subtrees.map((each) => fromBase64(each) ?? new Uint8Array()),
    );
    return { ...rest, tree };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
