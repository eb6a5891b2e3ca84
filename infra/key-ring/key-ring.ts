import { OperatorError } from "../process/operator-error.ts";

/** Location of a key. A slot is used once, and never again, not even after a crash. */
export type KeySlot = { segment: string; slot: number };

/** The port of the keys. Keys live in files outside the database, each in a slot that can be zeroed permanently. */
export interface KeyRing {
  /** A fresh key, already on disk: taking it waits only for a new segment, once per 1,024 keys. */
  take(): Promise<{ slot: KeySlot; key: Buffer }>;
  /** Marks keys whose ciphertext is about to leave the process, so that a crash does not hide them. */
  markInUse(slots: readonly KeySlot[]): Promise<void>;
  /** Records that the outcome is known: the ciphertext was stored, or its key was zeroed. */
  settle(slots: readonly KeySlot[]): Promise<void>;
  /**
   * Keys marked before a time, and not before `since`, by any process, whose outcome was never recorded: it crashed.
   */
  unsettled(before: Date, since?: Date): Promise<KeySlot[]>;
  /**
   * Reads a key from its file, each time. The caller zeroes the buffer after use.
   * @throws KeyGone when it was zeroed, or no folder of this ring has its segment
   */
  read(slot: KeySlot): Promise<Buffer>;
  /**
   * Overwrites keys with zeros, in the mirror too, and waits for the disks. May be repeated.
   * @throws KeyGone (missing) when no folder of this ring has a segment: its keys cannot be confirmed erased
   * @throws MirrorUnreachable when the mirror could not be zeroed; the primary was
   */
  zero(slots: readonly KeySlot[]): Promise<void>;
  /** The current contents of a slot, in every folder that has its segment; proves that the key is erased. */
  probe(slot: KeySlot): Promise<Buffer[]>;
  /** Removes segments without remaining keys; their slots still count as zeros. Returns how many. */
  compact(): Promise<number>;
  /**
   * Erases the unused keys of this process, so that its segments can be removed one day. No key can be taken
   * afterwards.
   */
  close(): Promise<void>;
}

/** `zeroed`: erased on purpose. `missing`: no folder of this ring has the segment; the wrong folder, or a lost disk. */
export class KeyGone extends Error {
  override name = "KeyGone";
  readonly reason: "zeroed" | "missing";
  constructor(slot: KeySlot, reason: "zeroed" | "missing") {
    super(
      reason === "zeroed"
        ? `Key ${slot.segment}/${slot.slot} was erased.`
        : `Key ${slot.segment}/${slot.slot} is in no key folder: KEY_DIR or KEY_MIRROR_DIR is not the one it was made in, or its disk was lost.`,
    );
    this.reason = reason;
  }
}

export class MirrorUnreachable extends OperatorError {
  override name = "MirrorUnreachable";
}

/** The folders contradict each other in a way that only the operator can resolve. */
export class KeyFoldersDisagree extends OperatorError {
  override name = "KeyFoldersDisagree";
}
