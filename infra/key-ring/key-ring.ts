import { OperatorFault } from "../process/operator-error.ts";

/** Where a key lies. A slot serves once: it is never given out again, not even after a crash. */
export type KeySlot = { segment: string; slot: number };

/** The port of the keys. Keys live in files outside the database, each in a slot that can be zeroed for ever. */
export interface KeyRing {
  /** A fresh key; already on disk, so taking it waits for nothing but, once in 1,024 times, for a new segment. */
  take(): Promise<{ slot: KeySlot; key: Buffer }>;
  /** Notes that something closed with these keys is about to leave the process, so that a crash does not hide them. */
  markInUse(slots: readonly KeySlot[]): Promise<void>;
  /** Notes that the outcome is known: it was stored, or its key was zeroed. */
  settle(slots: readonly KeySlot[]): Promise<void>;
  /** Keys that came into use before a time, and not before `since`, in whatever process, with an outcome that nobody learned: it crashed. */
  unsettled(before: Date, since?: Date): Promise<KeySlot[]>;
  /**
   * Reads a key from its file, each time. The caller fills the buffer with zeros after use.
   * @throws KeyGone when it was zeroed, or its segment is in no folder of this ring
   */
  read(slot: KeySlot): Promise<Buffer>;
  /**
   * Overwrites keys with zeros, in the mirror too, and waits for the disks. May be repeated.
   * @throws KeyGone (missing) when a segment is in no folder of this ring: then nobody can say that its keys are gone
   * @throws MirrorUnreachable when the mirror could not be zeroed; the primary was
   */
  zero(slots: readonly KeySlot[]): Promise<void>;
  /** What a slot holds now, in every folder that has its segment; for proving that nothing is left. */
  probe(slot: KeySlot): Promise<Buffer[]>;
  /** Removes the files of segments that hold no key any more; their slots are zeros as before. Answers how many. */
  compact(): Promise<number>;
  /** Destroys what this process made and never gave out, so that its segments can be removed one day. No key can be taken after it. */
  close(): Promise<void>;
}

/** `zeroed`: destroyed on purpose. `missing`: no folder of this ring has the segment; the wrong folder, or a lost disk. */
export class KeyGone extends Error {
  override name = "KeyGone";
  readonly reason: "zeroed" | "missing";
  constructor(slot: KeySlot, reason: "zeroed" | "missing") {
    super(
      reason === "zeroed"
        ? `Key ${slot.segment}/${slot.slot} was destroyed.`
        : `Key ${slot.segment}/${slot.slot} is in no key folder: KEY_DIR or KEY_MIRROR_DIR is not the one it was made in, or its disk was lost.`,
    );
    this.reason = reason;
  }
}

export class MirrorUnreachable extends OperatorFault {
  override name = "MirrorUnreachable";
}

/** The folders contradict each other in a way that only the operator can settle. */
export class KeyFoldersDisagree extends OperatorFault {
  override name = "KeyFoldersDisagree";
}
