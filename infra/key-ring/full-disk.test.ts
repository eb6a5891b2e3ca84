import { readdirSync, renameSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { openKeyRing } from "./file-key-ring.ts";
import { type KeyRing, MirrorUnreachable } from "./key-ring.ts";

/** Folders on a full disk: no room for new files, but existing files can be overwritten, as on a real one. */
const full = new Set<string>();
const realOpen = files.open;

/** Opens a file that accepts only its first page when its disk is full. */
const openOnFullDisk: typeof realOpen = async (path, flags, mode) => {
  const file = await realOpen(path, flags, mode);
  if (![...full].some((folder) => String(path).startsWith(folder))) return file;
  const write = file.writeFile.bind(file);
  vi.spyOn(file, "writeFile").mockImplementation(async (bytes) => {
    if (bytes instanceof Buffer) await write(bytes.subarray(0, 4096));
    const fault = new Error("ENOSPC: no space left on device, write");
    throw Object.assign(fault, { code: "ENOSPC", syscall: "write" });
  });
  return file;
};

let primary: string;
let mirror: string;
let ring: KeyRing;
const slotsOfSegment = 1024;
beforeEach(async () => {
  vi.spyOn(files, "open").mockImplementation(openOnFullDisk);
  syncBuiltinESMExports();
  [primary, mirror] = [temporaryFolder("primary"), temporaryFolder("mirror")];
  ring = await openKeyRing({ directory: primary, mirror, now: () => new Date() });
});
afterEach(() => {
  full.clear();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const segments = (folder: string) => readdirSync(join(folder, "segments")).sort();
const noRoom = expect.objectContaining({ code: "ENOSPC" });

it("refuses new keys while the disk is full, leaves no files behind, and recovers once there is room", async () => {
  full.add(primary);
  for (let tries = 0; tries < 3; tries++) await expect(ring.take()).rejects.toEqual(noRoom);
  expect([segments(primary), segments(mirror)]).toEqual([[], []]);
  full.clear();
  const { slot, key } = await ring.take();
  expect(await ring.read(slot)).toEqual(key);
  expect(segments(mirror)).toEqual(segments(primary));
});

it("still counts a key as unresolved that only the mirror was not zeroed of", async () => {
  const { slot } = await ring.take();
  await ring.markInUse([slot]);
  renameSync(join(mirror, "segments"), join(mirror, "away"));
  await expect(ring.zero([slot])).rejects.toThrow(MirrorUnreachable);
  renameSync(join(mirror, "away"), join(mirror, "segments"));
  const later = new Date(Date.now() + 1_000);
  expect(await ring.unsettled(later)).toEqual([slot]);
  await ring.zero([slot]);
  expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  expect(await ring.unsettled(later)).toEqual([]);
});

it("reports a full mirror disk, and leaves no files behind", async () => {
  full.add(mirror);
  await expect(ring.take()).rejects.toThrow(MirrorUnreachable);
  await expect(ring.take()).rejects.toThrow("free some space on it");
  expect([segments(primary), segments(mirror)]).toEqual([[], []]);
});

it("gives out, marks and erases keys of a segment created before", async () => {
  const first = await ring.take();
  full.add(primary).add(mirror);
  const others = [];
  for (let taken = 1; taken < slotsOfSegment; taken++) others.push(await ring.take());
  const slots = [first, ...others].map(({ slot }) => slot);
  await ring.markInUse(slots);
  // Each write waits for the disk, so a few slots are enough.
  await ring.zero(slots.slice(0, 10));
  expect(await ring.probe(first.slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  await expect(ring.take()).rejects.toThrow(MirrorUnreachable);
});
