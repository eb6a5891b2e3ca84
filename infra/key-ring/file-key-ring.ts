import { stat } from "node:fs/promises";
import { join } from "node:path";
import { compactSegments, dropEmptiedCopies, isEmpty } from "./compact-segments.ts";
import { hasCode, privateFolder } from "./durable-files.ts";
import { createFreshKeys } from "./fresh-keys.ts";
import { KeyFoldersDisagree, KeyGone, type KeyRing, type KeySlot, MirrorUnreachable } from "./key-ring.ts";
import {
  isZeroed,
  openSegmentFolder,
  type SegmentFolder,
  slotOf,
  slotsPerSegment,
} from "./segment-folder.ts";

type KeyRingOptions = {
  /** KEY_DIR; created if missing. */
  directory: string;
  /** KEY_MIRROR_DIR; must exist, because creating it would hide an unmounted disk. Filled when empty. */
  mirror?: string | undefined;
  now: () => Date;
};

/**
 * Opens the key ring of an installation. Several processes may have it open.
 * @throws MirrorUnreachable, KeyFoldersDisagree with a sentence for the operator
 */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  await privateFolder(options.directory);
  const primary = await openSegmentFolder(join(options.directory, "segments"));
  await refuseReturned(primary, primary);
  const mirror = options.mirror === undefined ? undefined : await openMirror(options.mirror, primary);
  const fresh = createFreshKeys(async (segment, keys) => {
    // The mirror first: a segment found in the primary is then in the mirror too.
    if (mirror) await inMirror(mirror, () => mirror.create(segment, keys));
    try {
      await primary.create(segment, keys);
    } catch (error) {
      // Every order retries: leftovers would fill the mirror's disk too.
      if (mirror) await inMirror(mirror, () => mirror.discard([segment]));
      throw error;
    }
    return primary.open(segment);
  });
  const noteUse = async (slots: readonly KeySlot[], atMs: number): Promise<void> => {
    for (const [segment, numbers] of bySegment(slots)) {
      const file = fresh.opened(segment);
      if (file) file.noteUse(numbers, atMs);
      else await primary.noteUse(segment, numbers, atMs);
    }
  };
  const zero = async (slots: readonly KeySlot[]): Promise<void> => {
    for (const [segment, numbers] of bySegment(slots)) await zeroBoth(segment, numbers, primary, mirror);
  };
  const read = async (slot: KeySlot): Promise<Buffer> => {
    const bytes = await readEither(slot, primary, mirror);
    if (bytes === undefined) throw new KeyGone(slot, "missing");
    if (isZeroed(bytes)) throw new KeyGone(slot, "zeroed");
    return bytes;
  };
  return {
    take: fresh.take,
    markInUse: (slots) => noteUse(slots, options.now().getTime()),
    settle: (slots) => noteUse(slots, 0),
    unsettled: (before, since) => unsettledSlots(primary, mirror, { before, since }),
    read,
    zero,
    probe: async ({ segment, slot }) => {
      const places = [primary, ...(mirror ? [mirror] : [])];
      const found = await Promise.all(places.map((place) => place.slotBytes(segment, slot)));
      return found.filter((bytes) => bytes !== undefined);
    },
    compact: () => compactSegments(primary, mirror),
    close: async () => zero(await fresh.close()),
  };
}

async function openMirror(directory: string, primary: SegmentFolder): Promise<SegmentFolder> {
  const found = await stat(directory).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw unreachable(directory, error);
  });
  if (!found?.isDirectory()) {
    throw new MirrorUnreachable(
      `KEY_MIRROR_DIR (${directory}) does not exist: mount its disk, or create an empty folder there for the copy of the keys.`,
    );
  }
  try {
    await privateFolder(directory);
    const mirror = await openSegmentFolder(join(directory, "segments"));
    await fillMirror(primary, mirror);
    return mirror;
  } catch (error) {
    throw isFileSystemFault(error) ? unreachable(directory, error) : error;
  }
}

/** The primary decides; the mirror is used only when the primary lost the segment or cannot be read. */
async function readEither(
  { segment, slot }: KeySlot,
  primary: SegmentFolder,
  mirror: SegmentFolder | undefined,
): Promise<Buffer | undefined> {
  if (!mirror) return primary.slotBytes(segment, slot);
  let fault: unknown;
  try {
    const bytes = await primary.slotBytes(segment, slot);
    if (bytes) return bytes;
  } catch (error) {
    fault = error;
  }
  const copy = await inMirror(mirror, () => mirror.slotBytes(segment, slot));
  if (copy === undefined && fault !== undefined) throw fault;
  return copy;
}

async function zeroBoth(
  segment: string,
  slots: readonly number[],
  primary: SegmentFolder,
  mirror: SegmentFolder | undefined,
): Promise<void> {
  const here = await primary.zero(segment, slots);
  const there = mirror ? await inMirror(mirror, () => mirror.zero(segment, slots)) : false;
  if (!here && !there) throw new KeyGone({ segment, slot: slots[0] ?? 0 }, "missing");
  if (mirror && here && !there) {
    throw new MirrorUnreachable(
      `The key mirror (${mirror.directory}) lacks segment ${segment}: check that its disk is mounted and that every process has the same KEY_MIRROR_DIR; the next start fills it.`,
    );
  }
}

async function unsettledSlots(
  primary: SegmentFolder,
  mirror: SegmentFolder | undefined,
  { before, since }: { before: Date; since: Date | undefined },
): Promise<KeySlot[]> {
  const found: KeySlot[] = [];
  // 0 marks a resolved slot.
  const sinceMs = Math.max(1, since?.getTime() ?? 1);
  const isMeant = (time: number) => time >= sinceMs && time < before.getTime();
  for (const segment of await primary.segments()) {
    const times = await primary.timesOfUse(segment);
    if (!times.some(isMeant)) continue;
    const keys = await primary.whole(segment);
    if (keys === undefined) continue;
    // The mirror may have been unreachable when the primary was zeroed.
    const copies = mirror && (await inMirror(mirror, () => mirror.whole(segment)));
    const isKept = (slot: number) => [keys, copies].some((held) => held && !isZeroed(slotOf(held, slot)));
    for (const [slot, time] of times.entries()) {
      if (isMeant(time) && isKept(slot)) found.push({ segment, slot });
    }
    keys.fill(0);
    copies?.fill(0);
  }
  return found;
}

async function inMirror<T>(mirror: SegmentFolder, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreachable(mirror.directory, error);
  }
}

function unreachable(directory: string, cause: unknown): MirrorUnreachable {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MirrorUnreachable(
    `The key mirror (${directory}) cannot be used (${reason}): mount its disk, free some space on it, or correct its permissions.`,
    { cause },
  );
}

function isFileSystemFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function bySegment(slots: readonly KeySlot[]): [string, number[]][] {
  return [...Map.groupBy(slots, ({ segment }) => segment)].map(([segment, list]) => [
    segment,
    list.map(({ slot }) => slot),
  ]);
}

/**
 * Synchronises the mirror with the primary at start: copies missing segments and zeroes keys zeroed without it.
 * @throws KeyFoldersDisagree when the mirror holds other keys, or records an erasure missing in the primary
 */
async function fillMirror(primary: SegmentFolder, mirror: SegmentFolder): Promise<void> {
  await refuseReturned(primary, mirror);
  await mirror.emptied.add([...(await primary.emptied.names())]);
  await primary.emptied.add([...(await mirror.emptied.names())]);
  for (const segment of await primary.segments()) {
    // Read the mirror first: the primary is zeroed first, so a slot that is zero here must be zero there.
    const copy = await mirror.whole(segment);
    const original = await primary.whole(segment);
    if (original === undefined) continue; // Another process is writing it, to both, or has removed it.
    if (copy && !original.equals(copy)) {
      refuseContradictions(segment, original, copy, primary.directory, mirror.directory);
      await zeroLeft(segment, original, copy, mirror);
    } else if (!copy) {
      await mirror.overwrite(segment, original);
      await repeatZeroing(segment, primary, mirror);
    }
    original.fill(0);
    copy?.fill(0);
  }
  await dropEmptiedCopies(primary, mirror);
}

/** Refuses keys that reappeared after their segment was emptied.@throws KeyFoldersDisagree */
async function refuseReturned(primary: SegmentFolder, witness: SegmentFolder): Promise<void> {
  const emptied = await witness.emptied.names();
  if (emptied.size === 0) return;
  for (const segment of await primary.segments()) {
    if (!emptied.has(segment) || (await isEmpty(primary, segment)) !== false) continue;
    throw new KeyFoldersDisagree(
      `The keys of segment ${segment} were erased, according to ${witness.directory}, but are back in ${primary.directory}: that folder was restored from an older copy. Replace it with a copy of the mirror if there is one; if not, remove this file from it.`,
    );
  }
}

function refuseContradictions(
  segment: string,
  original: Buffer,
  copy: Buffer,
  primary: string,
  mirror: string,
): void {
  for (let slot = 0; slot < slotsPerSegment; slot++) {
    const [key, copied] = [slotOf(original, slot), slotOf(copy, slot)];
    if (isZeroed(key) || key.equals(copied)) continue;
    throw new KeyFoldersDisagree(
      isZeroed(copied)
        ? `Key ${segment}/${slot} was erased in ${mirror} but is back in ${primary}: if that folder was restored from an older copy, replace it with a copy of the mirror; if the mirror is damaged, empty it.`
        : `Segment ${segment} holds other keys in ${mirror} than in ${primary}: set KEY_MIRROR_DIR to the mirror of this KEY_DIR, or to an empty folder.`,
    );
  }
}

/** Reads the primary after the copy was written, so that a key zeroed meanwhile is not restored by the copy. */
async function repeatZeroing(segment: string, primary: SegmentFolder, mirror: SegmentFolder): Promise<void> {
  const [original, copy] = [await primary.whole(segment), await mirror.whole(segment)];
  // If it was emptied meanwhile, its copy is dropped with all others.
  if (original && copy) await zeroLeft(segment, original, copy, mirror);
  original?.fill(0);
  copy?.fill(0);
}

async function zeroLeft(
  segment: string,
  original: Buffer,
  copy: Buffer,
  mirror: SegmentFolder,
): Promise<void> {
  const left = Array.from({ length: slotsPerSegment }, (_, slot) => slot).filter(
    (slot) => isZeroed(slotOf(original, slot)) && !isZeroed(slotOf(copy, slot)),
  );
  if (left.length > 0) await mirror.zero(segment, left);
}
