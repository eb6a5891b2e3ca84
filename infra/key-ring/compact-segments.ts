import { isZeroed, type SegmentFolder } from "./segment-folder.ts";

/**
 * Removes segments in which every key was erased, and returns how many. Each step leaves a state that the next start
 * and the next call read correctly: both folders list a segment as emptied before either loses its file, and the
 * primary loses it first, so that it is not copied from there again.
 */
export async function compactSegments(
  primary: SegmentFolder,
  mirror: SegmentFolder | undefined,
): Promise<number> {
  const empty: string[] = [];
  for (const segment of await primary.segments()) {
    // A copy that still holds keys has not been zeroed yet.
    if ((await isEmpty(primary, segment)) && (await isEmpty(mirror, segment)) !== false) empty.push(segment);
  }
  await mirror?.emptied.add(empty);
  await primary.emptied.add(empty);
  await primary.discard(empty);
  if (mirror) await dropEmptiedCopies(primary, mirror);
  return empty.length;
}

/** Removes copies of segments that the primary emptied alone, or before a crash, after zeroing their keys. */
export async function dropEmptiedCopies(primary: SegmentFolder, mirror: SegmentFolder): Promise<void> {
  const emptied = await primary.emptied.names();
  const copies = (await mirror.segments()).filter((segment) => emptied.has(segment));
  for (const segment of copies) if ((await isEmpty(mirror, segment)) !== true) await mirror.zeroAll(segment);
  await mirror.discard(copies);
}

/** Whether a segment holds no more keys; undefined when the folder lacks the whole segment. */
export async function isEmpty(
  folder: SegmentFolder | undefined,
  segment: string,
): Promise<boolean | undefined> {
  const bytes = await folder?.whole(segment);
  const empty = bytes && isZeroed(bytes);
  bytes?.fill(0);
  return empty;
}
