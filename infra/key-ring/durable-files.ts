import { createHash, randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { KeyFoldersDisagree, MirrorUnreachable } from "./key-ring.ts";

/** A file that is being written; one that was cut off keeps it. */
const draftEnding = ".draft";

/** Creates an owner-only folder, or restricts an existing one to its owner. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await restrict(path);
}

async function restrict(path: string): Promise<void> {
  if (process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o700);
}

/** The same within a folder that must exist: creating that too would hide an unmounted disk. */
async function folderWithin(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  await restrict(path);
}

/**
 * Writes a new file, 0600, and returns once it would survive a power cut (the caller syncs the folder). On a full disk
 * nothing remains of it.
 * @throws EEXIST when it already exists
 */
export async function writeNewFile(path: string, ...parts: readonly Buffer[]): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (const part of parts) await file.writeFile(part);
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file, or creates it: readers find the old or the new one, also after a power cut. Creates its folder, if the
 * one around it is there.
 */
export async function replaceFile(folder: string, name: string, bytes: Buffer): Promise<void> {
  await folderWithin(folder);
  const draft = join(folder, `${name}.${randomBytes(8).toString("hex")}${draftEnding}`);
  await writeNewFile(draft, bytes);
  try {
    await rename(draft, join(folder, name));
  } catch (error) {
    await unlink(draft);
    throw error;
  }
  await syncFolder(folder);
}

/** A file's name is durable only once its folder is synced. Windows cannot open folders, but journals names itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Small write-once files shared by all processes, in `installation/` of KEY_DIR and its mirror. */
export type AgreedFiles = {
  /** Reads a file, or creates it. @throws MirrorUnreachable, KeyFoldersDisagree */
  keep(file: string, make: () => Promise<Buffer>): Promise<Buffer>;
  /** Reads an existing file; undefined otherwise. */
  existing(file: string): Promise<Buffer | undefined>;
  /** All files in either folder. */
  names(): Promise<readonly string[]>;
  /** Copies to each folder what only the other has: one of them may be on a new disk. */
  fill(): Promise<void>;
  /** Overwrites a file with zeros and removes it, in the mirror first. @throws MirrorUnreachable */
  destroy(file: string): Promise<void>;
  /** Destroys each file that is zeros in either folder: destroying it was interrupted. @throws MirrorUnreachable */
  finishDestroying(): Promise<void>;
  /** Overwrites the first `length` bytes of a file with line feeds, in the mirror first. @throws MirrorUnreachable */
  blank(file: string, length: number): Promise<void>;
};

type Mirror = { root: string; folder: string };

/** @param keyDir KEY_DIR; must exist. @param mirrorDir KEY_MIRROR_DIR; the same */
export function agreedFiles(keyDir: string, mirrorDir?: string): AgreedFiles {
  const primary = join(keyDir, "installation");
  const mirror =
    mirrorDir === undefined ? undefined : { root: mirrorDir, folder: join(mirrorDir, "installation") };
  const folders = [...(mirror ? [mirror.folder] : []), primary];
  const existing = async (file: string) =>
    (await readIfThere(join(primary, file))) ?? (mirror && (await readIfThere(join(mirror.folder, file))));
  const expectMirror = async () => mirror && (await expectThere(mirror));
  const destroy = async (file: string) => {
    await expectMirror();
    for (const folder of folders) await zeroAndRemove(folder, file);
  };
  const names = async () => [...new Set((await Promise.all(folders.map(namesIn))).flat())].sort();
  return {
    keep: async (file, make) => {
      await expectMirror();
      const copy = mirror ? await readIfThere(join(mirror.folder, file)) : undefined;
      const kept = await agree(primary, file, async () => copy ?? (await make()));
      if (mirror) await copyToMirror(mirror, file, kept);
      return kept;
    },
    existing,
    names,
    fill: async () => {
      await expectMirror();
      for (const file of await names()) {
        const bytes = file.endsWith(draftEnding) ? undefined : await existing(file);
        if (bytes) for (const folder of folders) await agree(folder, file, async () => bytes);
      }
    },
    destroy,
    finishDestroying: async () => {
      for (const folder of folders)
        for (const file of await namesIn(folder)) if (await isZeros(join(folder, file))) await destroy(file);
    },
    blank: async (file, length) => {
      await expectMirror();
      for (const folder of folders) await overwrite(join(folder, file), Buffer.alloc(length, "\n"));
    },
  };
}

/**
 * Reads a file, or creates it: written and synced under a temporary name, then linked to its own, which only the first
 * process can do. No process ever reads a partial file, and all read the same one.
 */
async function agree(folder: string, file: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const path = join(folder, file);
  const there = await readIfThere(path);
  if (there) return there;
  await folderWithin(folder);
  const draft = join(folder, `${file}.${randomBytes(8).toString("hex")}${draftEnding}`);
  await writeNewFile(draft, await make());
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(folder);
  return readFile(path);
}

async function copyToMirror(mirror: Mirror, file: string, kept: Buffer): Promise<void> {
  const copy = await agree(mirror.folder, file, async () => kept);
  if (!copy.equals(kept)) {
    throw new KeyFoldersDisagree(
      `${file} in ${mirror.folder} is another installation's: set KEY_MIRROR_DIR to the mirror of this KEY_DIR, or to an empty folder.`,
    );
  }
}

async function expectThere({ root }: Mirror): Promise<void> {
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new MirrorUnreachable(
    `KEY_MIRROR_DIR (${root}) does not exist: mount its disk, or create an empty folder there for the copy of the keys.`,
  );
}

async function zeroAndRemove(folder: string, file: string): Promise<void> {
  const path = join(folder, file);
  const bytes = await readIfThere(path);
  if (bytes === undefined) return;
  await overwrite(path, Buffer.alloc(bytes.length));
  // Another process may finish the same.
  await absentIsUndefined(unlink(path));
  await syncFolder(folder);
}

async function isZeros(path: string): Promise<boolean> {
  const bytes = await readIfThere(path);
  return bytes !== undefined && bytes.length > 0 && bytes.every((byte) => byte === 0);
}

async function overwrite(path: string, bytes: Buffer): Promise<void> {
  const file = await absentIsUndefined(open(path, "r+"));
  try {
    await file?.write(bytes, 0, bytes.length, 0);
    await file?.datasync();
  } finally {
    await file?.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await absentIsUndefined(readdir(folder))) ?? [];
}

const readIfThere = (path: string): Promise<Buffer | undefined> => absentIsUndefined(readFile(path));

async function absentIsUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

const purpose = "certificates/key-fingerprint/1\0";

/** 128 bits of SHA-256 over a key, in hex: distinguishes random keys and opens nothing. */
export function keyFingerprint(key: Buffer): string {
  return createHash("sha256").update(purpose).update(key).digest("hex").slice(0, 32);
}
