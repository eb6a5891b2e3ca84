import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, replaceFile, syncFolder } from "../key-ring/durable-file.ts";
import { type Checkpoint, parseCheckpoint } from "./formats/checkpoint.ts";
import { parseNote } from "./formats/signed-note.ts";

/** A signed checkpoint, as it is published. */
export type PublishedCheckpoint = Checkpoint & { readonly note: string };

/**
 * The newest checkpoint beside the keys, out of reach of anyone who can change only the database. It is one file in
 * each folder: earlier checkpoints follow from the tree.
 */
export type CheckpointFile = {
  /** The larger one, where a copy is behind. @throws NoteRefused when it is malformed */
  read(): Promise<PublishedCheckpoint | undefined>;
  /** Written and synced in every folder when it resolves. */
  write(note: string): Promise<void>;
  /** Puts it aside, under a name with this moment: a restored log was accepted, which it contradicts. */
  supersede(at: Date): Promise<void>;
};

export const publishedCheckpoint = (note: string): PublishedCheckpoint => ({
  ...parseCheckpoint(parseNote(note).text),
  note,
});

/** @param folders KEY_DIR, and KEY_MIRROR_DIR if set; the file is `transparency/checkpoint` in each */
export function openCheckpointFile(folders: readonly string[]): CheckpointFile {
  const homes = folders.map((folder) => join(folder, "transparency"));
  return {
    read: async () => {
      const copies = (await Promise.all(homes.map((home) => readIfThere(join(home, "checkpoint"))))).flat();
      return copies.map(publishedCheckpoint).sort((one, other) => other.size - one.size)[0];
    },
    write: async (note) => {
      for (const home of homes) await replaceFile(home, "checkpoint", Buffer.from(note));
    },
    supersede: async (at) => {
      const stamp = at.toISOString().replace(/[-:.]/g, "").toLowerCase();
      for (const home of homes) await putAside(home, `checkpoint.${stamp}`);
    },
  };
}

async function readIfThere(path: string): Promise<string[]> {
  try {
    return [await readFile(path, "utf8")];
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

async function putAside(home: string, name: string): Promise<void> {
  try {
    await rename(join(home, "checkpoint"), join(home, name));
    await syncFolder(home);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
