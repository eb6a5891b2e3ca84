import { KeyFoldersDisagree } from "./key-ring.ts";
import { isZeroed, type SegmentFolder, slotOf, slotsPerSegment } from "./segment-folder.ts";

/**
 * Brings the mirror up to the primary at start: copies the segments it lacks, zeroes what was zeroed without it.
 * @throws KeyFoldersDisagree when the mirror holds other keys, or knows of a destruction that the primary forgot
 */
export async function fillMirror(primary: SegmentFolder, mirror: SegmentFolder): Promise<void> {
  for (const segment of await primary.segments()) {
    // The mirror is read first: who zeroes does the primary first, so a slot that is zero here must be zero there.
    const copy = await mirror.whole(segment);
    const original = await primary.whole(segment);
    if (original === undefined) continue; // Another process is writing it, to both.
    if (copy) refuseContradictions(segment, original, copy, primary.directory, mirror.directory);
    else await mirror.overwrite(segment, original);
    original.fill(0);
    copy?.fill(0);
    await repeatZeroing(segment, primary, mirror);
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
        ? `Key ${segment}/${slot} was destroyed in ${mirror} but is back in ${primary}: if that folder was restored from an older copy, replace it by a copy of the mirror; if the mirror is damaged, empty it.`
        : `Segment ${segment} holds other keys in ${mirror} than in ${primary}: set KEY_MIRROR_DIR to the mirror of this KEY_DIR, or to an empty folder.`,
    );
  }
}

/** Reads the primary after the copy was written, so that a key zeroed meanwhile does not come back through the copy. */
async function repeatZeroing(segment: string, primary: SegmentFolder, mirror: SegmentFolder): Promise<void> {
  const [original, copy] = [await primary.whole(segment), await mirror.whole(segment)];
  if (!original || !copy) return;
  const left = Array.from({ length: slotsPerSegment }, (_, slot) => slot).filter(
    (slot) => isZeroed(slotOf(original, slot)) && !isZeroed(slotOf(copy, slot)),
  );
  original.fill(0);
  copy.fill(0);
  if (left.length > 0) await mirror.zero(segment, left);
}
