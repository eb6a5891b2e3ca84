import { existsSync, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a machine has to keep files in memory. */
export type Memory = {
  /** The lines of /proc/mounts. */
  readonly mounts: string;
  /** Room in /dev/shm. */
  readonly roomBytes: number;
  /** Memory that processes may still take. */
  readonly freeBytes: number;
};

const inMemory = "/dev/shm";
const gib = 2 ** 30;
/** A run takes up to 1.5 GB. */
const least = { roomBytes: 4 * gib, freeBytes: 8 * gib } as const;

/**
 * A folder for all temporary files of a run, in memory where there is room and programs may run there: tests make and
 * drop hundreds of databases, and start dozens of servers.
 */
export function makeRunFolder(): string {
  return mkdtempSync(join(hasRoom(ofThisMachine()) ? inMemory : tmpdir(), "certificates-run-"));
}

export function hasRoom({ mounts, roomBytes, freeBytes }: Memory): boolean {
  const [, , , options = "noexec"] =
    mounts
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, place]) => place === inMemory) ?? [];
  return (
    !options.split(",").includes("noexec") && roomBytes >= least.roomBytes && freeBytes >= least.freeBytes
  );
}

function ofThisMachine(): Memory {
  if (!existsSync(inMemory)) return { mounts: "", roomBytes: 0, freeBytes: 0 };
  const { bavail, bsize } = statfsSync(inMemory);
  return {
    mounts: readFileSync("/proc/mounts", "utf8"),
    roomBytes: bavail * bsize,
    freeBytes: process.availableMemory(),
  };
}
