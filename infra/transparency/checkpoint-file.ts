import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, replaceFile, syncFolder } from "../key-ring/durable-files.ts";
import { type Checkpoint, parseCheckpoint } from "./formats/checkpoint.ts";
import { parseNote } from "./formats/signed-note.ts";
import { type NewestLeaf, parseNewestLeaf } from "./newest-leaf.ts";

/** A signed checkpoint, as it is published. */
export type PublishedCheckpoint = Checkpoint & { readonly note: string };

/**
 * The newest checkpoint beside the keys, out of reach of anyone who can change only the database, and a note about its
 * newest leaf, which is not published. Each is one file in each folder: earlier checkpoints follow from the tree.
 */
export type CheckpointFile = {
  /** The larger one, where a copy is behind. @throws NoteRefused when it is malformed */
  read(): Promise<PublishedCheckpoint | undefined>;
  /** The same for the newest leaf; undefined beside a checkpoint of an older build. Its signatures are not verified. */
  readLeaf(): Promise<KeptLeaf | undefined>;
  /** Written and synced in every folder when it resolves. */
  write(note: string): Promise<void>;
  writeLeaf(note: string): Promise<void>;
  /** Puts both aside, under names with this moment: a restored log was accepted, which they contradict. */
  supersede(at: Date): Promise<void>;
};

type KeptLeaf = NewestLeaf & { readonly note: string };

export const publishedCheckpoint = (note: string): PublishedCheckpoint => ({
  ...parseCheckpoint(parseNote(note).text),
  note,
});

const checkpointName = "checkpoint";
const leafName = "newest-leaf";

/** @param folders KEY_DIR, and KEY_MIRROR_DIR if set; the files are `checkpoint` and `newest-leaf` in `transparency` */
export function openCheckpointFile(folders: readonly string[]): CheckpointFile {
  const homes = folders.map((folder) => join(folder, "transparency"));
  const copiesOf = async (name: string) =>
    (await Promise.all(homes.map((home) => readIfThere(join(home, name))))).flat();
  const writeAll = async (name: string, note: string) => {
    for (const home of homes) await replaceFile(home, name, Buffer.from(note));
  };
  return {
    read: async () => largest((await copiesOf(checkpointName)).map(publishedCheckpoint)),
    readLeaf: async () =>
      largest((await copiesOf(leafName)).map((note) => ({ ...parseNewestLeaf(parseNote(note).text), note }))),
    write: (note) => writeAll(checkpointName, note),
    writeLeaf: (note) => writeAll(leafName, note),
    supersede: async (at) => {
      for (const home of homes) {
        await putAside(home, checkpointName, at);
        await putAside(home, leafName, at);
      }
    },
  };
}

const largest = <T extends { readonly size: number }>(copies: readonly T[]): T | undefined =>
  copies.toSorted((one, other) => other.size - one.size)[0];

async function readIfThere(path: string): Promise<string[]> {
  try {
    return [await readFile(path, "utf8")];
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Renames a file, if it is there, to its name with a moment. */
export async function putAside(home: string, name: string, at: Date): Promise<void> {
  const stamp = at.toISOString().replace(/[-:.]/g, "").toLowerCase();
  try {
    await rename(join(home, name), join(home, `${name}.${stamp}`));
    await syncFolder(home);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
