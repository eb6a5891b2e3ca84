import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isZeroed, segmentBytes, slotOf, slotsPerSegment } from "../../../infra/key-ring/segment-folder.ts";
import { type Finding, ok, warning, wrong } from "./finding.ts";

const about = "key mirror";

export async function mirrorFindings(keyDir: string, mirrorDir: string): Promise<readonly Finding[]> {
  const [keys, mirror] = [
    await stat(keyDir).catch(() => undefined),
    await stat(mirrorDir).catch(() => undefined),
  ];
  // A missing folder is a separate finding already.
  if (!keys || !mirror) return [];
  const counts = { missing: 0, notDestroyed: 0, other: 0, cameBack: 0, segments: 0 };
  for (const name of await segmentsIn(keyDir)) {
    counts.segments += 1;
    const copy = await readFile(join(mirrorDir, "segments", name)).catch(() => undefined);
    const original = await readFile(join(keyDir, "segments", name)).catch(() => undefined);
    if (original === undefined) continue; // Just removed by a running process as empty.
    if (copy === undefined) counts.missing += 1;
    else compare(original, copy, counts);
  }
  return [
    differences(counts) ?? ok(about, `in step: ${counts.segments} segments`),
    ...disks(keys.dev, mirror.dev),
  ];
}

type Counts = { missing: number; notDestroyed: number; other: number; cameBack: number };

async function segmentsIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, "segments")).catch((): string[] => []);
  return names.filter((name) => name.endsWith(".keys"));
}

function compare(original: Buffer, copy: Buffer, counts: Counts): void {
  const whole = original.length >= segmentBytes && copy.length >= segmentBytes;
  for (let slot = 0; whole && slot < slotsPerSegment; slot++) {
    const [key, copied] = [slotOf(original, slot), slotOf(copy, slot)];
    if (key.equals(copied)) continue;
    if (isZeroed(key)) counts.notDestroyed += 1;
    else if (isZeroed(copied)) counts.cameBack += 1;
    else counts.other += 1;
  }
  original.fill(0);
  copy.fill(0);
}

function differences({ missing, notDestroyed, other, cameBack }: Counts): Finding | undefined {
  if (cameBack > 0)
    return wrong(
      about,
      `${cameBack} keys were erased in the mirror and are back in KEY_DIR`,
      "KEY_DIR was restored from an older copy: replace it with a copy of the mirror",
    );
  if (other > 0)
    return wrong(
      about,
      `${other} keys differ from those in KEY_DIR`,
      "set KEY_MIRROR_DIR to the mirror of this KEY_DIR, or to an empty folder",
    );
  if (notDestroyed > 0)
    return wrong(
      about,
      `${notDestroyed} erased keys are still in the mirror`,
      "start the product: it erases them there too",
    );
  return missing > 0
    ? warning(about, `lacks ${missing} segments of keys`, "start the product: it copies them")
    : undefined;
}

const disks = (keys: number, mirror: number): Finding[] =>
  keys === mirror
    ? [
        warning(
          about,
          "on the same disk as KEY_DIR",
          "put it on another disk: one failure would otherwise lose both",
        ),
      ]
    : [];
