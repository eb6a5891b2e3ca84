import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, privateFolder, syncFolder, writeNewFile } from "./durable-file.ts";

export const slotsPerSegment = 1024;
export const keyBytes = 32;
export const segmentBytes = slotsPerSegment * keyBytes;
/** Behind the keys: for each slot the time it came into use (milliseconds as a double), 0 once that is settled. */
const timeBytes = 8;

const segmentName = /^[0-9a-f]{32}$/;
const fileName = /^([0-9a-f]{32})\.keys$/;
const zeros = Buffer.alloc(keyBytes);

/** The keys of one segment through a file that stays open. */
export type KeyReader = { read(slot: number): Buffer; close(): void };

/** One folder of segment files: raw keys, slot after slot, then the times. The primary is one, the mirror another. */
export type SegmentFolder = {
  readonly directory: string;
  /** Writes a new segment, with the room for its times, and syncs file and folder: once begun, no full disk stops it. */
  create(segment: string, bytes: Buffer): Promise<void>;
  /** Removes a segment of which no key was given out. */
  discard(segment: string): Promise<void>;
  /** Writes a segment over whatever part of it is there, and syncs. Never shortens it. */
  overwrite(segment: string, bytes: Buffer): Promise<void>;
  /** Names of all segments, whole or not. */
  segments(): Promise<string[]>;
  /** A whole segment, undefined when it is missing or still being written. */
  whole(segment: string): Promise<Buffer | undefined>;
  /** The 32 bytes of a slot as they are now, undefined when there is no such slot or its segment is too short. */
  slotBytes(segment: string, slot: number): Promise<Buffer | undefined>;
  /** Opens a segment that this process just made, for reading its keys one by one. */
  reader(segment: string): KeyReader;
  /** Notes when slots came into use, 0 once that is settled. Not synced: it must outlive the process, not the machine. */
  noteUse(segment: string, slots: readonly number[], atMs: number): Promise<void>;
  /** When each slot of a segment came into use; 0 where that is settled, or never was. */
  timesOfUse(segment: string): Promise<number[]>;
  /** Writes zeros over slots and waits until the disk has them. False when there is no such slot here. */
  zero(segment: string, slots: readonly number[]): Promise<boolean>;
};

/** Whether a slot's bytes are what zeroing leaves. A random key never is: 2^-256. */
export function isZeroed(bytes: Buffer): boolean {
  return bytes.equals(zeros);
}

/** The bytes of one slot within a whole segment, without copying. */
export function slotOf(segment: Buffer, slot: number): Buffer {
  return segment.subarray(slot * keyBytes, (slot + 1) * keyBytes);
}

/** Makes the folder where it is missing. */
export async function openSegmentFolder(directory: string): Promise<SegmentFolder> {
  await privateFolder(directory);
  const path = (segment: string) => join(directory, `${segment}.keys`);
  return {
    directory,
    create: async (segment, bytes) => {
      await writeNewFile(path(segment), bytes, Buffer.alloc(slotsPerSegment * timeBytes));
      await syncFolder(directory);
    },
    discard: (segment) => rm(path(segment), { force: true }),
    overwrite: async (segment, bytes) => {
      await withFile(path(segment), constants.O_RDWR | constants.O_CREAT, async (file) => {
        await file.write(bytes, 0, bytes.length, 0);
        await file.sync();
      });
      await syncFolder(directory);
    },
    segments: async () => (await readdir(directory)).flatMap((name) => fileName.exec(name)?.[1] ?? []).sort(),
    whole: (segment) => readExactly(path(segment), 0, segmentBytes),
    slotBytes: async (segment, slot) =>
      isAddress(segment, slot) ? readExactly(path(segment), slot * keyBytes, keyBytes) : undefined,
    reader: (segment) => openReader(path(segment)),
    noteUse: (segment, slots, atMs) => {
      const time = Buffer.alloc(timeBytes);
      time.writeDoubleLE(atMs);
      return withFile(path(segment), constants.O_RDWR, async (file) => {
        // Synchronous: 8 bytes into the page cache cost less than a trip through the thread pool.
        for (const slot of slots) writeSync(file.fd, time, 0, timeBytes, segmentBytes + slot * timeBytes);
      });
    },
    timesOfUse: async (segment) => {
      // A file that was copied or filled ends with the last slot that ever came into use.
      const times = Buffer.alloc(slotsPerSegment * timeBytes);
      await withFile(path(segment), constants.O_RDONLY, (file) =>
        file.read(times, 0, times.length, segmentBytes),
      );
      return Array.from({ length: slotsPerSegment }, (_, slot) => times.readDoubleLE(slot * timeBytes));
    },
    zero: async (segment, slots) =>
      slots.every((slot) => isAddress(segment, slot)) && zeroSlots(path(segment), slots),
  };
}

/** Addresses come from the database: one that was tampered with must not become a path, nor reach beyond the file. */
function isAddress(segment: string, slot: number): boolean {
  return segmentName.test(segment) && Number.isInteger(slot) && slot >= 0 && slot < slotsPerSegment;
}

async function withFile<T>(path: string, flags: number, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Opened anew for each read: on a shared volume an old handle may show what another node has zeroed since. */
async function readExactly(path: string, from: number, length: number): Promise<Buffer | undefined> {
  try {
    return await withFile(path, constants.O_RDONLY, async (file) => {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, from);
      return bytesRead === length ? bytes : undefined;
    });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * Reads synchronously, from a file that was just written and so lies in memory: 2 µs, where the thread pool takes 26 and
 * makes new orders wait behind the syncs of purges. A bare descriptor, for a handle would be closed with a warning.
 */
function openReader(path: string): KeyReader {
  const descriptor = openSync(path, "r");
  return {
    read: (slot) => {
      const key = Buffer.alloc(keyBytes);
      const bytesRead = readSync(descriptor, key, 0, keyBytes, slot * keyBytes);
      if (bytesRead !== keyBytes || isZeroed(key)) throw new Error(`Slot ${slot} of ${path} holds no key.`);
      return key;
    },
    close: () => closeSync(descriptor),
  };
}

async function zeroSlots(path: string, slots: readonly number[]): Promise<boolean> {
  try {
    await withFile(path, constants.O_RDWR, async (file) => {
      for (const slot of slots) await file.write(zeros, 0, keyBytes, slot * keyBytes);
      await file.datasync();
    });
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
