import { randomBytes } from "node:crypto";
import type { KeySlot } from "./key-ring.ts";
import { type KeyReader, segmentBytes, slotsPerSegment } from "./segment-folder.ts";

/** How many slots are left when the next segment begins to be written, so that nobody waits for it. */
const prepareAt = 256;

type Segment = { name: string; next: number; keys: KeyReader };

/** Writes a new segment, syncs it, and opens it for reading. */
export type SegmentWriter = (segment: string, keys: Buffer) => Promise<KeyReader>;

export type FreshKeys = {
  take(): Promise<{ slot: KeySlot; key: Buffer }>;
  /** Gives out no more, and answers what never was given out. */
  close(): Promise<KeySlot[]>;
};

/**
 * Gives out keys that were never given out before. A process takes only from segments it made itself, under a random name,
 * and begins a new one at each start: what a crash left unused stays unused, so no counter has to survive it.
 */
export function createFreshKeys(write: SegmentWriter): FreshKeys {
  let isClosed = false;
  let current: Promise<Segment> | undefined;
  let following: Promise<Segment> | undefined;

  function begin(): Promise<Segment> {
    const begun = writeSegment(write);
    // A disk that was full may have room later: forget the failure once those who wait have been told.
    begun.catch(() => {
      if (current === begun) current = undefined;
      if (following === begun) following = undefined;
    });
    return begun;
  }

  async function take(): Promise<{ slot: KeySlot; key: Buffer }> {
    for (;;) {
      if (isClosed) throw new Error("The key ring was closed.");
      current ??= begin();
      const awaited = current;
      const segment = await awaited;
      const slot = segment.next++;
      if (slot === slotsPerSegment - prepareAt) following = begin();
      if (slot < slotsPerSegment) {
        return { slot: { segment: segment.name, slot }, key: segment.keys.read(slot) };
      }
      if (current === awaited) {
        segment.keys.close();
        current = following;
        following = undefined;
      }
    }
  }

  async function close(): Promise<KeySlot[]> {
    isClosed = true;
    const begun = [current, following].filter((segment) => segment !== undefined);
    [current, following] = [undefined, undefined];
    // One that could not be written was told to those who waited for it.
    const written = (await Promise.allSettled(begun)).flatMap((one) =>
      one.status === "fulfilled" ? [one.value] : [],
    );
    return written.flatMap((segment) => {
      const from = Math.min(segment.next, slotsPerSegment);
      segment.next = slotsPerSegment;
      segment.keys.close();
      return Array.from({ length: slotsPerSegment - from }, (_, n) => ({
        segment: segment.name,
        slot: from + n,
      }));
    });
  }

  return { take, close };
}

async function writeSegment(write: SegmentWriter): Promise<Segment> {
  const name = randomBytes(16).toString("hex");
  const keys = randomBytes(segmentBytes);
  const reader = await write(name, keys);
  keys.fill(0);
  return { name, next: 0, keys: reader };
}
