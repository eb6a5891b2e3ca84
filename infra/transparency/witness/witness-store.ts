import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  hasCode,
  privateFolder,
  replaceFile,
  syncFolder,
  writeNewFile,
} from "../../key-ring/durable-files.ts";
import { type PublishedCheckpoint, publishedCheckpoint } from "../checkpoint-file.ts";
import type { NoteSigner } from "../formats/signed-note.ts";
import { signatureTypes } from "../formats/verifier-key.ts";
import { signerOf } from "../log-keys.ts";

/** The newest checkpoint of each log that a witness signed. */
export type WitnessStore = {
  latest(origin: string): Promise<PublishedCheckpoint | undefined>;
  /** On disk when it resolves. @throws Error when it is smaller than one that was kept */
  keep(note: string): Promise<void>;
};

/** A file for each log, in the folder `logs`. One process may use a folder at a time. */
export function openWitnessStore(folder: string): WitnessStore {
  const home = join(folder, "logs");
  const largest = new Map<string, number>();

  function expectNoneLost(origin: string, size: number): void {
    if (size < (largest.get(origin) ?? 0))
      throw new Error(`The witness has signed a larger tree of ${origin} than its folder says.`);
    largest.set(origin, size);
  }

  async function latest(origin: string): Promise<PublishedCheckpoint | undefined> {
    const note = await readIfThere(join(home, nameOf(origin)));
    const checkpoint = note === undefined ? undefined : publishedCheckpoint(note);
    if (checkpoint && checkpoint.origin !== origin)
      throw new Error(`The witness's file for ${origin} is that of ${checkpoint.origin}.`);
    expectNoneLost(origin, checkpoint?.size ?? 0);
    return checkpoint;
  }

  return {
    latest,
    keep: async (note) => {
      const { origin, size } = publishedCheckpoint(note);
      await latest(origin);
      expectNoneLost(origin, size);
      await replaceFile(home, nameOf(origin), Buffer.from(note));
    },
  };
}

/** A name of letters and digits, whatever the log is called. */
const nameOf = (origin: string): string => createHash("sha256").update(origin).digest("hex");

/** The witness's key, `key.pem` in its folder: made at the first start. */
export async function openWitnessKey(folder: string, name: string): Promise<NoteSigner> {
  await mkdir(folder, { recursive: true });
  await privateFolder(folder);
  const path = join(folder, "key.pem");
  const existing = await readIfThere(path);
  if (existing !== undefined) return signerOf(createPrivateKey(existing), name, signatureTypes.witness);
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeNewFile(path, Buffer.from(privateKey.export({ type: "pkcs8", format: "pem" })));
  await syncFolder(folder);
  return signerOf(privateKey, name, signatureTypes.witness);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
