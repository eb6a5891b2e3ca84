import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Creates an owner-only folder, or restricts an existing one to its owner. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o700);
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

/** Replaces a file, or creates it: readers find the old or the new one, also after a power cut. */
export async function replaceFile(folder: string, name: string, bytes: Buffer): Promise<void> {
  await privateFolder(folder);
  const draft = join(folder, `${name}.${randomBytes(8).toString("hex")}.draft`);
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
