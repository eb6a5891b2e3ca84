import { freeBytesAt } from "../process/free-bytes.ts";

/** Postgres begins its write-ahead log in pieces of 16 MB, and needs one more to recover: with less it ends again at once. */
export const leastRoomBytes = 32 * 1_048_576;

const words = /No space left on device|Disk quota exceeded/;

/** Whether a server ended, or did not start, because its disk is full: by its own words, or because there is no room for the next piece. */
export async function isForWantOfRoom(directory: string, error?: unknown): Promise<boolean> {
  if (error instanceof Error && words.test(error.message)) return true;
  // A folder that is gone altogether: starting the server says so.
  const free = await freeBytesAt(directory).catch(() => undefined);
  return free !== undefined && free < leastRoomBytes;
}
