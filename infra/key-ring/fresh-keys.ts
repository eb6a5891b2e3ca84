import { randomBytes } from "node:crypto";
import type { KeySlot } from "./key-ring.ts";
import { type OpenSegment, segmentBytes, slotsPerSegment } from "./segment-folder.ts";

/** Slots left when the next segment is started, so that no caller waits for it. */
const prepareAt = 256;

type Segment = { name: string; next: number; file: OpenSegment };

/** Writes and syncs a new segment, and opens it. */
type SegmentWriter = (segment: string, keys: Buffer) => Promise<OpenSegment>;

type FreshKeys = {
  take(): Promise<{ slot: KeySlot; key: Buffer }>;
  /** A segment from which keys are taken, or were a moment ago; undefined for any other. */
  opened(segment: string): OpenSegment | undefined;
  /** Stops giving out keys, and returns the unused slots. */
  close(): Promise<KeySlot[]>;
};

/**
 * Gives out each key once. A process takes keys only from segments it made itself, under a random name, and starts a
 * new one at each start: keys unused after a crash stay unused, so no counter has to survive.
 */
export function createFreshKeys(write: SegmentWriter): FreshKeys {
  let isClosed = false;
  let current: Promise<Segment> | undefined;
  let following: Promise<Segment> | undefined;
  /** Kept open until the next one is used up: its last keys are in use, and are settled in a moment. */
  let usedUp: Segment | undefined;
  const open = new Map<string, OpenSegment>();

  async function openNew(): Promise<Segment> {
    const segment = await writeSegment(write);
    open.set(segment.name, segment.file);
    return segment;
  }

  function closeFile({ name, file }: Segment): void {
    open.delete(name);
    file.close();
  }

  function begin(): Promise<Segment> {
    const begun = openNew();
    // A full disk may have room later: forget the failure once the waiting callers have it.
    begun.catch(() => {
      if (current === begun) current = undefined;
      if (following === begun) following = undefined;
    });
    return begun;
  }

  function goOnAfter(segment: Segment): void {
    if (usedUp) closeFile(usedUp);
    usedUp = segment;
    current = following;
    following = undefined;
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
        return { slot: { segment: segment.name, slot }, key: segment.file.read(slot) };
      }
      if (current === awaited) goOnAfter(segment);
    }
  }

  async function close(): Promise<KeySlot[]> {
    isClosed = true;
    if (usedUp) closeFile(usedUp);
    usedUp = undefined;
    const begun = [current, following].filter((segment) => segment !== undefined);
    [current, following] = [undefined, undefined];
    // Callers waiting for a failed write have its error.
    const written = (await Promise.allSettled(begun)).flatMap((one) =>
      one.status === "fulfilled" ? [one.value] : [],
    );
    return written.flatMap((segment) => {
      const from = Math.min(segment.next, slotsPerSegment);
      segment.next = slotsPerSegment;
      closeFile(segment);
      return Array.from({ length: slotsPerSegment - from }, (_, n) => ({
        segment: segment.name,
        slot: from + n,
      }));
    });
  }

  return { take, opened: (segment) => open.get(segment), close };
}

async function writeSegment(write: SegmentWriter): Promise<Segment> {
  const name = randomBytes(16).toString("hex");
  const keys = randomBytes(segmentBytes);
  const file = await write(name, keys);
  keys.fill(0);
  return { name, next: 0, file };
}
