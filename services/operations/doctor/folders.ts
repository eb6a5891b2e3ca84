import { constants } from "node:fs";
import { access, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../infra/config/config.ts";
import { isZeroed, segmentBytes, slotOf, slotsPerSegment } from "../../../infra/key-ring/segment-folder.ts";
import { freeBytesAt } from "../../../infra/process/free-space.ts";
import { type Check, type Finding, type Folder, ok, roomFinding, warning, wrong } from "./findings.ts";

/** Data and key folders: present, private, writable, in step, and with free space. */
export const folderChecks = (
  config: Pick<Config, "DATA_DIR" | "KEY_DIR" | "KEY_MIRROR_DIR" | "DATABASE_URL" | "NODE_ENV">,
): readonly Check[] => {
  const { KEY_DIR, KEY_MIRROR_DIR } = config;
  return [
    ...(config.DATABASE_URL === undefined ? [folderCheck("DATA_DIR", config.DATA_DIR)] : []),
    folderCheck("KEY_DIR", KEY_DIR),
    ...(KEY_MIRROR_DIR === undefined
      ? [{ about: "KEY_MIRROR_DIR", look: async () => [noMirror(config)] }]
      : [
          folderCheck("KEY_MIRROR_DIR", KEY_MIRROR_DIR, "mount its disk, or create an empty folder there"),
          { about: "key mirror", look: () => mirrorFindings(KEY_DIR, KEY_MIRROR_DIR) },
        ]),
  ];
};

const noMirror = ({ NODE_ENV }: Pick<Config, "NODE_ENV">): Finding =>
  NODE_ENV === "production"
    ? warning(
        "KEY_MIRROR_DIR",
        "not set: the keys are on one disk, and losing it would lose all sealed data",
        "set it to an empty folder on another disk",
      )
    : ok("KEY_MIRROR_DIR", "not set: the keys are on one disk");

/** @param whenMissing what to do if a start does not create it */
function folderCheck(about: Folder, path: string, whenMissing?: string): Check {
  return {
    about,
    look: async () => {
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return [missing(about, path, whenMissing)];
      if (!found.isDirectory()) return [wrong(about, `${path} is a file`, "move it, or set another folder")];
      return [await rightsOf(about, path), roomFinding(about, await freeBytesAt(path))];
    },
  };
}

function missing(about: string, path: string, todo: string | undefined): Finding {
  return todo === undefined
    ? warning(about, `${path} does not exist`, "the first start creates it; after that, mount its disk")
    : wrong(about, `${path} does not exist`, todo);
}

async function rightsOf(about: string, path: string): Promise<Finding> {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return wrong(
      about,
      `${path} is not writable by this user`,
      "make the user that runs the product its owner",
    );
  }
  const open = await openToOthers(path);
  if (open === undefined) return ok(about, `${path}, readable by its owner only`);
  return wrong(about, `other users can read ${open}`, `chmod -R go= ${path}`);
}

/** The first path readable by other users: the folder, or an entry down to the second level. */
async function openToOthers(path: string): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  if (await isOpen(path)) return path;
  for (const { name, parentPath } of await entriesOf(path)) {
    const inside = join(parentPath, name);
    if (await isOpen(inside)) return inside;
  }
  return undefined;
}

// A Postgres cluster has thousands of files inside a private folder.
async function entriesOf(path: string) {
  const first = await readdir(path, { withFileTypes: true });
  const folders = first.filter((entry) => entry.isDirectory() && entry.name !== "cluster");
  const second = await Promise.all(
    folders.map((entry) => readdir(join(path, entry.name), { withFileTypes: true })),
  );
  return [...first, ...second.flat()];
}

async function isOpen(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}

const about = "key mirror";

async function mirrorFindings(keyDir: string, mirrorDir: string): Promise<readonly Finding[]> {
  const [keys, mirror] = [
    await stat(keyDir).catch(() => undefined),
    await stat(mirrorDir).catch(() => undefined),
  ];
  // A missing folder is a separate finding already.
  if (!keys || !mirror) return [];
  if (await isOfAnother(keyDir, mirrorDir))
    return [wrong(about, "belongs to another installation", ownMirror), ...disks(keys.dev, mirror.dev)];
  const lost = await countLost(keyDir, mirrorDir);
  const counts = { lost, missing: 0, notDestroyed: 0, other: 0, cameBack: 0, segments: 0 };
  for (const name of await segmentsIn(keyDir)) {
    counts.segments += 1;
    const copy = await readFile(join(mirrorDir, "segments", name)).catch(() => undefined);
    const original = await readFile(join(keyDir, "segments", name)).catch(() => undefined);
    if (original === undefined) continue; // Just removed by a running process as empty.
    if (copy === undefined) counts.missing += 1;
    else compare(original, copy, counts);
  }
  return [
    differences(counts) ??
      ok(about, `in step: ${counts.segments} ${counts.segments === 1 ? "segment" : "segments"}`),
    ...disks(keys.dev, mirror.dev),
  ];
}

const ownMirror = "set KEY_MIRROR_DIR to the mirror of this KEY_DIR, or to an empty folder";

async function isOfAnother(keyDir: string, mirrorDir: string): Promise<boolean> {
  const [own, copy] = await Promise.all(
    [keyDir, mirrorDir].map((folder) =>
      readFile(join(folder, "installation", "key-folder.secret")).catch(() => undefined),
    ),
  );
  return own !== undefined && copy !== undefined && !own.equals(copy);
}

type Counts = { lost: number; missing: number; notDestroyed: number; other: number; cameBack: number };

/** Segments whose keys only the mirror has. */
async function countLost(keyDir: string, mirrorDir: string): Promise<number> {
  const copies = await segmentsIn(mirrorDir);
  const known = await knownSegments(keyDir);
  let lost = 0;
  for (const name of copies) {
    if (known.has(segmentOf(name))) continue;
    const copy = await readFile(join(mirrorDir, "segments", name)).catch(() => undefined);
    if (copy && !isZeroed(copy.subarray(0, segmentBytes))) lost += 1;
    copy?.fill(0);
  }
  return lost;
}

/** Names of the segments that a key folder has, or had until all their keys were erased. */
export async function knownSegments(folder: string): Promise<ReadonlySet<string>> {
  const emptied = await readFile(join(folder, "segments", "emptied.list"), "latin1").catch(() => "");
  return new Set([...(await segmentsIn(folder)).map(segmentOf), ...emptied.split("\n")]);
}

const segmentOf = (file: string): string => file.slice(0, -".keys".length);

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

function differences({ lost, missing, notDestroyed, other, cameBack }: Counts): Finding | undefined {
  if (cameBack > 0)
    return wrong(
      about,
      `${cameBack} keys were erased in the mirror and are back in KEY_DIR`,
      "KEY_DIR was restored from an older copy: replace it with a copy of the mirror",
    );
  if (lost > 0)
    return wrong(
      about,
      `has ${lost} segments of keys that KEY_DIR lacks`,
      "mount the disk of KEY_DIR; if it is lost, stop every process and copy the mirror to KEY_DIR, as docs/operations/runbooks.md says",
    );
  if (other > 0) return wrong(about, `${other} keys differ from those in KEY_DIR`, ownMirror);
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
