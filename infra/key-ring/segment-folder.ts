import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, privateFolder, syncFolder, writeNewFile } from "./durable-file.ts";

export const slotsPerSegment = 1024;
export const keyBytes = 32;
export const segmentBytes = slotsPerSegment * keyBytes;

const segmentName = /^[0-9a-f]{32}$/;
const fileName = /^([0-9a-f]{32})\.keys$/;
const zeros = Buffer.alloc(keyBytes);

/** One folder of segment files: raw keys, slot after slot, nothing else. The primary is one, the mirror another. */
export type SegmentFolder = {
  readonly directory: string;
  /** Writes a new segment and syncs file and folder. */
  create(segment: string, bytes: Buffer): Promise<void>;
  /** Writes a segment over whatever part of it is there, and syncs. Never shortens it. */
  overwrite(segment: string, bytes: Buffer): Promise<void>;
  /** Names of all segments, whole or not. */
  segments(): Promise<string[]>;
  /** A whole segment, undefined when it is missing or still being written. */
  whole(segment: string): Promise<Buffer | undefined>;
  /** The 32 bytes of a slot as they are now, undefined when there is no such slot or its segment is too short. */
  slotBytes(segment: string, slot: number): Promise<Buffer | undefined>;
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
      await writeNewFile(path(segment), bytes);
      await syncFolder(directory);
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
    slotBytes: async (segment, slot) =>
      isAddress(segment, slot) ? readExactly(path(segment), slot * keyBytes, keyBytes) : undefined,
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
