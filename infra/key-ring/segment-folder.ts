import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, privateFolder, syncFolder, writeNewFile } from "./durable-file.ts";
import { type EmptiedSegments, emptiedSegments } from "./emptied-segments.ts";

export const slotsPerSegment = 1024;
export const keyBytes = 32;
export const segmentBytes = slotsPerSegment * keyBytes;
/** Behind the keys: for each slot the time it came into use (milliseconds as a double), 0 once that is settled. */
const timeBytes = 8;

const segmentName = /^[0-9a-f]{32}$/;
const fileName = /^([0-9a-f]{32})\.keys$/;
const zeros = Buffer.alloc(segmentBytes);

/** The keys of one segment through a file that stays open. */
export type KeyReader = { read(slot: number): Buffer; close(): void };

/** One folder of segment files: raw keys, slot after slot, then the times. The primary is one, the mirror another. */
export type SegmentFolder = {
  readonly directory: string;
  /** Writes a new segment, with the room for its times, and syncs file and folder: once begun, no full disk stops it. */
  create(segment: string, bytes: Buffer): Promise<void>;
  /** Removes segments of which no key was given out, or all are destroyed. */
  discard(segments: readonly string[]): Promise<void>;
  /** What was removed because no key of it was left. */
  readonly emptied: EmptiedSegments;
  /** Writes a segment over whatever part of it is there, and syncs. Never shortens it. */
  overwrite(segment: string, bytes: Buffer): Promise<void>;
  /** Names of all segments, whole or not. */
  segments(): Promise<string[]>;
  /** A whole segment, undefined when it is missing or still being written. */
  whole(segment: string): Promise<Buffer | undefined>;
  /** The 32 bytes of a slot as they are now, zeros in an emptied segment; undefined when there is no such slot or its segment is too short. */
  slotBytes(segment: string, slot: number): Promise<Buffer | undefined>;
  /** Opens a segment that this process just made, for reading its keys one by one. */
  reader(segment: string): KeyReader;
  /** Notes when slots came into use, 0 once that is settled. Not synced: it must outlive the process, not the machine. */
  noteUse(segment: string, slots: readonly number[], atMs: number): Promise<void>;
  /** When each slot of a segment came into use; 0 where that is settled, or never was. None of a segment that is not there. */
  timesOfUse(segment: string): Promise<number[]>;
  /** Writes zeros over slots and waits until the disk has them. False when there is no such slot here. */
  zero(segment: string, slots: readonly number[]): Promise<boolean>;
  /** The same over all keys of a segment, of which only a part may be there. */
  zeroAll(segment: string): Promise<boolean>;
};

/** Whether the bytes of a slot, or of a whole segment, are what zeroing leaves. A random key never is: 2^-256. */
export function isZeroed(bytes: Buffer): boolean {
  return bytes.length >= keyBytes && bytes.equals(zeros.subarray(0, bytes.length));
}

/** The bytes of one slot within a whole segment, without copying. */
export function slotOf(segment: Buffer, slot: number): Buffer {
  return segment.subarray(slot * keyBytes, (slot + 1) * keyBytes);
}

/** Makes the folder where it is missing. */
export async function openSegmentFolder(directory: string): Promise<SegmentFolder> {
  await privateFolder(directory);
  const path = (segment: string) => join(directory, `${segment}.keys`);
  const emptied = emptiedSegments(directory);
  const isEmptied = async (segment: string) => (await emptied.names()).has(segment);
  return {
    directory,
    emptied,
    create: async (segment, bytes) => {
      await writeNewFile(path(segment), bytes, Buffer.alloc(slotsPerSegment * timeBytes));
      await syncFolder(directory);
    },
    discard: async (segments) => {
      for (const segment of segments) await rm(path(segment), { force: true });
      if (segments.length > 0) await syncFolder(directory);
    },
    overwrite: async (segment, bytes) => {
      await withFile(path(segment), constants.O_RDWR | constants.O_CREAT, async (file) => {
        await file.write(bytes, 0, bytes.length, 0);
        await file.sync();
      });
      await syncFolder(directory);
    },
    segments: async () => (await readdir(directory)).flatMap((name) => fileName.exec(name)?.[1] ?? []).sort(),
    whole: (segment) => readExactly(path(segment), 0, segmentBytes),
    slotBytes: async (segment, slot) => {
      if (!isAddress(segment, slot)) return undefined;
      const bytes = await readExactly(path(segment), slot * keyBytes, keyBytes);
      return bytes ?? ((await isEmptied(segment)) ? Buffer.alloc(keyBytes) : undefined);
    },
    reader: (segment) => openReader(path(segment)),
    noteUse: async (segment, slots, atMs) => {
      const time = Buffer.alloc(timeBytes);
      time.writeDoubleLE(atMs);
      const written = await ifThere(
        withFile(path(segment), constants.O_RDWR, async (file) => {
          // Synchronous: 8 bytes into the page cache cost less than a trip through the thread pool.
          for (const slot of slots) writeSync(file.fd, time, 0, timeBytes, segmentBytes + slot * timeBytes);
          return true;
        }),
      );
      if (!written && !(await isEmptied(segment)))
        throw new Error(`Segment ${segment} is not in ${directory}.`);
    },
    timesOfUse: async (segment) => {
      // A file that was copied or filled ends with the last slot that ever came into use.
      const times = Buffer.alloc(slotsPerSegment * timeBytes);
      await ifThere(
        withFile(path(segment), constants.O_RDONLY, (file) =>
          file.read(times, 0, times.length, segmentBytes),
        ),
      );
      return Array.from({ length: slotsPerSegment }, (_, slot) => times.readDoubleLE(slot * timeBytes));
    },
    zero: async (segment, slots) =>
      slots.every((slot) => isAddress(segment, slot)) &&
      ((await zeroSlots(path(segment), slots)) || (await isEmptied(segment))),
    zeroAll: (segment) => zeroSlots(path(segment), everySlot),
  };
}

const everySlot: readonly number[] = Array.from({ length: slotsPerSegment }, (_, slot) => slot);

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
const readExactly = (path: string, from: number, length: number): Promise<Buffer | undefined> =>
  ifThere(
    withFile(path, constants.O_RDONLY, async (file) => {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, from);
      return bytesRead === length ? bytes : undefined;
    }),
  );

/** What the work on a file answers, undefined where there is no such file. */
async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
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
  const zeroed = await ifThere(
    withFile(path, constants.O_RDWR, async (file) => {
      for (const { from, count } of runsOf(slots))
        await file.write(zeros, 0, count * keyBytes, from * keyBytes);
      await file.datasync();
      return true;
    }),
  );
  return zeroed ?? false;
}

/** Slots that lie side by side are written at once. */
function runsOf(slots: readonly number[]): { from: number; count: number }[] {
  const runs: { from: number; count: number }[] = [];
  for (const slot of [...new Set(slots)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && slot === last.from + last.count) last.count += 1;
    else runs.push({ from: slot, count: 1 });
  }
  return runs;
}
