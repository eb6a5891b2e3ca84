import { chmod, mkdir, open, stat, unlink } from "node:fs/promises";

/** Makes a folder that only its owner may enter, or takes everyone else's rights from the one that is there. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o700);
}

/**
 * Writes a new file of these parts, 0600, and returns once it would survive a power cut under its name (the caller syncs the
 * folder). Where the disk takes only some of it, nothing of it stays.
 * @throws EEXIST when it is already there
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

/** A file's name lasts only once its folder is synced. Windows cannot open folders, and journals names by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Whether a failure of the file system has this code, such as ENOENT. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
