import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, privateFolder, syncFolder, writeNewFile } from "./durable-files.ts";

export const slotsPerSegment = 1024;
const keyBytes = 32;
export const segmentBytes = slotsPerSegment * keyBytes;
/** After the keys: for each slot the time it was marked in use (milliseconds as a double), 0 once resolved. */
const timeBytes = 8;

const segmentName = /^[0-9a-f]{32}$/;
const fileName = /^([0-9a-f]{32})\.keys$/;
const zeros = Buffer.alloc(segmentBytes);

/** The open file of a segment that this process created. */
export type OpenSegment = {
  read(slot: number): Buffer;
  /** As the folder's `noteUse`. */
  noteUse(slots: readonly number[], atMs: number): void;
  close(): void;
};

/** A folder of segment files: raw keys, slot after slot, then the times. Both primary and mirror are one. */
export type SegmentFolder = {
  readonly directory: string;
  /**
   * Writes a new segment, with room for its times, and syncs file and folder: later writes cannot fail on a full disk.
   */
  create(segment: string, bytes: Buffer): Promise<void>;
  /** Removes segments whose keys were never given out, or all erased. */
  discard(segments: readonly string[]): Promise<void>;
  /** Segments removed because all their keys were erased. */
  readonly emptied: EmptiedSegments;
  /** Overwrites a partial segment, and syncs. Never shortens it. */
  overwrite(segment: string, bytes: Buffer): Promise<void>;
  /** Names of all segments, complete or not. */
  segments(): Promise<string[]>;
  /** A complete segment; undefined when missing or still being written. */
  whole(segment: string): Promise<Buffer | undefined>;
  /**
   * The current 32 bytes of a slot, zeros in an emptied segment; undefined when the slot is missing or its segment too
   * short.
   */
  slotBytes(segment: string, slot: number): Promise<Buffer | undefined>;
  /** Opens a segment that this process just created. */
  open(segment: string): OpenSegment;
  /**
   * Records when slots were marked in use, 0 once resolved. Not synced: it must survive the process, not the machine.
   */
  noteUse(segment: string, slots: readonly number[], atMs: number): Promise<void>;
  /** When each slot of a segment was marked in use; 0 if resolved or never used. Empty for a missing segment. */
  timesOfUse(segment: string): Promise<number[]>;
  /** Zeroes slots and waits for the disk. False when a slot is missing. */
  zero(segment: string, slots: readonly number[]): Promise<boolean>;
  /** Zeroes all keys of a segment, even a partial one. */
  zeroAll(segment: string): Promise<boolean>;
};

/** Whether a slot or a whole segment is zeroed. A random key never is: 2^-256. */
export function isZeroed(bytes: Buffer): boolean {
  return bytes.length >= keyBytes && bytes.equals(zeros.subarray(0, bytes.length));
}

/** The bytes of one slot in a segment, without copying. */
export function slotOf(segment: Buffer, slot: number): Buffer {
  return segment.subarray(slot * keyBytes, (slot + 1) * keyBytes);
}

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
    whole: (segment) => readWhole(path(segment)),
    slotBytes: async (segment, slot) => {
      if (!isAddress(segment, slot)) return undefined;
      const bytes = readSlot(path(segment), slot);
      return bytes ?? ((await isEmptied(segment)) ? Buffer.alloc(keyBytes) : undefined);
    },
    open: (segment) => openSegment(path(segment)),
    noteUse: async (segment, slots, atMs) => {
      const written = await ifThere(
        withFile(path(segment), constants.O_RDWR, async (file) => {
          writeTimes(file.fd, slots, atMs);
          return true;
        }),
      );
      if (!written && !(await isEmptied(segment)))
        throw new Error(`Segment ${segment} is not in ${directory}.`);
    },
    timesOfUse: async (segment) => {
      // A copied or filled file ends with the last slot ever used.
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

/** Addresses come from the database: a tampered one must not become a path, nor reach beyond the file. */
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

const readWhole = (path: string): Promise<Buffer | undefined> =>
  ifThere(
    withFile(path, constants.O_RDONLY, async (file) => {
      const bytes = Buffer.alloc(segmentBytes);
      const { bytesRead } = await file.read(bytes, 0, segmentBytes, 0);
      return bytesRead === segmentBytes ? bytes : undefined;
    }),
  );

/**
 * Opened anew for each read: on a shared volume an old handle may show keys another node has zeroed since. Synchronous:
 * 6 µs from the page cache, against 50 in the thread pool.
 */
function readSlot(path: string, slot: number): Buffer | undefined {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(keyBytes);
    return readSync(descriptor, bytes, 0, keyBytes, slot * keyBytes) === keyBytes ? bytes : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** A file operation's result, undefined when the file does not exist. */
async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * Works synchronously on a file just written, hence in memory: 2 µs, against 26 in the thread pool, where new orders
 * would wait for the syncs of purges. A bare descriptor, because a handle would be closed with a warning.
 */
function openSegment(path: string): OpenSegment {
  const descriptor = openSync(path, "r+");
  return {
    read: (slot) => {
      const key = Buffer.alloc(keyBytes);
      const bytesRead = readSync(descriptor, key, 0, keyBytes, slot * keyBytes);
      if (bytesRead !== keyBytes || isZeroed(key)) throw new Error(`Slot ${slot} of ${path} holds no key.`);
      return key;
    },
    noteUse: (slots, atMs) => writeTimes(descriptor, slots, atMs),
    close: () => closeSync(descriptor),
  };
}

/** Synchronous: a few bytes into the page cache cost less than a switch to the thread pool. */
function writeTimes(descriptor: number, slots: readonly number[], atMs: number): void {
  const time = Buffer.alloc(timeBytes);
  time.writeDoubleLE(atMs);
  for (const { from, count } of runsOf(slots)) {
    const times = Buffer.alloc(count * timeBytes, time);
    writeSync(descriptor, times, 0, times.length, segmentBytes + from * timeBytes);
  }
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

/** Groups adjacent slots, which are written together. */
function runsOf(slots: readonly number[]): { from: number; count: number }[] {
  const runs: { from: number; count: number }[] = [];
  for (const slot of [...new Set(slots)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && slot === last.from + last.count) last.count += 1;
    else runs.push({ from: slot, count: 1 });
  }
  return runs;
}

/** Names of segments in which every key was erased: their files are gone, and each slot counts as zeros. */
type EmptiedSegments = {
  names(): Promise<ReadonlySet<string>>;
  /** Adds names, and returns once they would survive a power cut. */
  add(segments: readonly string[]): Promise<void>;
};

/**
 * The list of one folder, one name per line. Several processes append to it; a line cut off by a crash is ignored,
 * because its segment's file is removed only once the line is on disk.
 */
function emptiedSegments(directory: string): EmptiedSegments {
  const path = join(directory, "emptied.list");
  const names = async () => {
    const text = await readFile(path, "latin1").catch((error: unknown) => {
      if (hasCode(error, "ENOENT")) return "";
      throw error;
    });
    return new Set(text.split("\n").filter((line) => segmentName.test(line)));
  };
  return {
    names,
    add: async (segments) => {
      const noted = await names();
      const lines = segments.filter((segment) => !noted.has(segment));
      if (lines.length === 0) return;
      const file = await open(path, "a", 0o600);
      try {
        // Starts a new line: the last one may have been cut off by a crash.
        await file.writeFile(`\n${lines.join("\n")}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(directory);
    },
  };
}
