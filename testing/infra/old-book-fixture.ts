import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import canonicalize from "canonicalize";
import {
  type CheckpointBook,
  openCheckpointBook,
  type SignedCheckpoint,
} from "../../infra/audit/checkpoint-book.ts";
import { type SignerKeys, signerKeys } from "../../infra/audit/signer-keys.ts";
import { agreedFiles } from "../../infra/key-ring/durable-files.ts";
import { temporaryFolder } from "../setup/temporary-folder.ts";

export type OldBook = {
  readonly book: CheckpointBook;
  readonly folders: readonly [string, string];
  readonly keys: SignerKeys;
  /** Signs a line as older builds did, into each folder. */
  sign(
    checkpoint: Omit<SignedCheckpoint, "previous" | "signature">,
    by?: Pick<SignerKeys, "current">,
  ): Promise<void>;
};

/** A book of an older build in temporary folders: keys beside it, and a mirror. */
export async function oldBook(): Promise<OldBook> {
  const root = temporaryFolder("book");
  const folders = [join(root, "keys"), join(root, "mirror")] as const;
  for (const folder of folders) await mkdir(folder);
  const keys = signerKeys(agreedFiles(folders[0]));
  return {
    book: openCheckpointBook({ folders, keys }),
    folders,
    keys,
    sign: async (checkpoint, by = keys) => {
      const last = (await linesIn(bookIn(folders[0]))).at(-1);
      const previous = last === undefined ? null : createHash("sha256").update(last).digest("hex");
      const bytes = Buffer.from(canonicalize({ ...checkpoint, previous }) ?? "");
      const line = JSON.stringify({ ...checkpoint, previous, signature: (await by.current()).sign(bytes) });
      for (const folder of folders) {
        await mkdir(join(folder, "audit"), { recursive: true });
        await appendFile(bookIn(folder), `${line}\n`);
      }
    },
  };
}

export const bookIn = (folder: string): string => join(folder, "audit", "checkpoints.jsonl");

async function linesIn(file: string): Promise<string[]> {
  try {
    return (await readFile(file, "utf8")).split("\n").filter(Boolean);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
