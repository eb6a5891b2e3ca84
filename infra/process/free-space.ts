import { statfs } from "node:fs/promises";

/**
 * Bytes this user may still write on the disk of a file or folder.
 * @throws the system's error, such as ENOENT for a missing folder
 */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
