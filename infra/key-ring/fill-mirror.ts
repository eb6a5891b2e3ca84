import { dropEmptiedCopies, isEmpty } from "./compact-segments.ts";
import { KeyFoldersDisagree } from "./key-ring.ts";
import { isZeroed, type SegmentFolder, slotOf, slotsPerSegment } from "./segment-folder.ts";

/**
 * Synchronises the mirror with the primary at start: copies missing segments and zeroes keys zeroed without it.
 * @throws KeyFoldersDisagree when the mirror holds other keys, or records an erasure missing in the primary
 */
export async function fillMirror(primary: SegmentFolder, mirror: SegmentFolder): Promise<void> {
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
export async function refuseReturned(primary: SegmentFolder, witness: SegmentFolder): Promise<void> {
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
