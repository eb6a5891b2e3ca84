import { statfs } from "node:fs/promises";

/**
 * Bytes that this user may still write on the disk where a file or folder lies.
 * @throws the system's error, such as ENOENT where there is no such folder
 */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
