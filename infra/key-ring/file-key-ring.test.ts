import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { keyFingerprint } from "./durable-files.ts";
import { openKeyRing as openAt } from "./file-key-ring.ts";
import {
  KeyFoldersDisagree,
  type KeyGone,
  type KeyRing,
  type KeySlot,
  MirrorUnreachable,
} from "./key-ring.ts";

const now = () => new Date("2026-02-03T04:05:06.000Z");
const openKeyRing = (options: Omit<Parameters<typeof openAt>[0], "now">) => openAt({ ...options, now });

const folder = () => temporaryFolder("keys");

async function mirrored(): Promise<{ primary: string; mirror: string; ring: KeyRing }> {
  const [primary, mirror] = [folder(), folder()];
  return { primary, mirror, ring: await openKeyRing({ directory: primary, mirror }) };
}

async function take(ring: KeyRing, count: number): Promise<{ slot: KeySlot; key: Buffer }[]> {
  return Promise.all(Array.from({ length: count }, () => ring.take()));
}

const fileOf = (directory: string, { segment }: KeySlot) => join(directory, "segments", `${segment}.keys`);
const keysIn = (directory: string, slot: KeySlot) =>
  readFileSync(fileOf(directory, slot)).subarray(0, 32_768);
const files = (directory: string) => readdirSync(join(directory, "segments")).sort();
const place = ({ segment, slot }: KeySlot) => `${segment}/${slot}`;
const gone = (reason: KeyGone["reason"]) => expect.objectContaining({ name: "KeyGone", reason });

describe("taking keys", () => {
  it("gives each key a separate slot, across a segment border, and reads each back", async () => {
    const ring = await openKeyRing({ directory: folder() });
    const taken = await take(ring, 2500);
    expect(new Set(taken.map(({ slot }) => place(slot))).size).toBe(2500);
    expect(new Set(taken.map(({ key }) => key.toString("hex"))).size).toBe(2500);
    for (const { slot, key } of taken) expect(await ring.read(slot)).toEqual(key);
    expect(new Set(taken.map(({ slot }) => slot.segment)).size).toBe(3);
  });

  it("never reuses a slot, after a restart or in a second process", async () => {
    const directory = folder();
    const [first, second] = [await openKeyRing({ directory }), await openKeyRing({ directory })];
    const before = [...(await take(first, 10)), ...(await take(second, 10))];
    const after = await take(await openKeyRing({ directory }), 10);
    expect(new Set([...before, ...after].map(({ slot }) => place(slot))).size).toBe(30);
  });

  it("writes a whole segment before using its first slot", async () => {
    const directory = folder();
    const { slot } = await (await openKeyRing({ directory })).take();
    const bytes = keysIn(directory, slot);
    expect(bytes.length).toBe(32_768);
    expect(bytes.equals(Buffer.alloc(32_768))).toBe(false);
  });

  it("gives access to the owner alone", async () => {
    const directory = folder();
    chmodSync(directory, 0o755);
    const { slot } = await (await openKeyRing({ directory })).take();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "segments")).mode & 0o777).toBe(0o700);
    expect(statSync(fileOf(directory, slot)).mode & 0o777).toBe(0o600);
  });

  it("recovers from a disk error", async () => {
    const directory = folder();
    const ring = await openKeyRing({ directory });
    const segments = join(directory, "segments");
    rmSync(segments, { recursive: true });
    writeFileSync(segments, "");
    await expect(ring.take()).rejects.toThrow();
    rmSync(segments);
    mkdirSync(segments);
    const { slot, key } = await ring.take();
    expect(await ring.read(slot)).toEqual(key);
  });
});

describe("zeroing keys", () => {
  it("erases the key from its file without touching its neighbours", async () => {
    const directory = folder();
    const ring = await openKeyRing({ directory });
    const [first, victim, last] = await take(ring, 3);
    if (!first || !victim || !last) throw new Error("three keys expected");
    expect(readFileSync(fileOf(directory, victim.slot)).includes(victim.key)).toBe(true);
    await ring.zero([victim.slot]);
    expect(readFileSync(fileOf(directory, victim.slot)).includes(victim.key)).toBe(false);
    await expect(ring.read(victim.slot)).rejects.toEqual(gone("zeroed"));
    expect(await ring.probe(victim.slot)).toEqual([Buffer.alloc(32)]);
    expect(await ring.read(first.slot)).toEqual(first.key);
    expect(await ring.read(last.slot)).toEqual(last.key);
  });

  it("may be repeated, and done by another process", async () => {
    const directory = folder();
    const { slot } = await (await openKeyRing({ directory })).take();
    const other = await openKeyRing({ directory });
    await other.zero([slot]);
    await other.zero([slot, slot]);
    await expect(other.read(slot)).rejects.toEqual(gone("zeroed"));
  });

  it("does not report a key as erased when its segment is missing", async () => {
    const { slot } = await (await openKeyRing({ directory: folder() })).take();
    const elsewhere = await openKeyRing({ directory: folder() });
    await expect(elsewhere.zero([slot])).rejects.toEqual(gone("missing"));
    await expect(elsewhere.read(slot)).rejects.toEqual(gone("missing"));
    expect(await elsewhere.probe(slot)).toEqual([]);
  });

  it("never uses an address as a path", async () => {
    const directory = folder();
    writeFileSync(join(directory, "other.keys"), randomBytes(32_768));
    const ring = await openKeyRing({ directory });
    const { slot } = await ring.take();
    for (const address of [
      { segment: "../other", slot: 0 },
      { ...slot, slot: 1024 },
      { ...slot, slot: -1 },
    ]) {
      await expect(ring.read(address)).rejects.toEqual(gone("missing"));
      await expect(ring.zero([address])).rejects.toEqual(gone("missing"));
      expect(await ring.probe(address)).toEqual([]);
    }
  });
});

describe("unresolved keys", () => {
  const later = new Date(now().getTime() + 1);

  it("are those in use since before a time, neither resolved nor zeroed, also for another process", async () => {
    const directory = folder();
    const ring = await openKeyRing({ directory });
    const [settled, zeroed, crashed] = await take(ring, 4);
    if (!settled || !zeroed || !crashed) throw new Error("three keys expected");
    await ring.markInUse([settled, zeroed, crashed].map(({ slot }) => slot));
    await ring.settle([settled.slot]);
    await ring.zero([zeroed.slot]);
    const other = await openKeyRing({ directory });
    expect(await other.unsettled(later)).toEqual([crashed.slot]);
    expect(await other.unsettled(now())).toEqual([]);
    expect(await other.read(settled.slot)).toEqual(settled.key);
    expect(await other.read(crashed.slot)).toEqual(crashed.key);
  });

  it("are noted wherever they are: in the file of new keys, in a full one, and in another process's", async () => {
    const directory = folder();
    const [ring, other] = [await openKeyRing({ directory }), await openKeyRing({ directory })];
    const keys = await take(ring, 1026);
    const foreign = await other.take();
    const slots = [...keys.slice(-4), foreign].map(({ slot }) => slot);
    await ring.markInUse(slots);
    expect((await other.unsettled(later)).map(place).sort()).toEqual(slots.map(place).sort());
    await ring.settle(slots);
    expect(await other.unsettled(later)).toEqual([]);
  });
});

describe("the mirror", () => {
  it("holds every key, and erases it with the primary", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot, key } = await ring.take();
    expect(keysIn(mirror, slot).equals(keysIn(primary, slot))).toBe(true);
    await ring.zero([slot]);
    for (const directory of [primary, mirror]) {
      expect(readFileSync(fileOf(directory, slot)).includes(key)).toBe(false);
    }
    expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });

  it("replaces a segment lost or damaged in the primary, and can still zero it", async () => {
    const { primary, ring } = await mirrored();
    const [one, two] = await take(ring, 2);
    if (!one || !two) throw new Error("two keys expected");
    truncateSync(fileOf(primary, one.slot), 16);
    expect(await ring.read(one.slot)).toEqual(one.key);
    rmSync(fileOf(primary, one.slot));
    expect(await ring.read(two.slot)).toEqual(two.key);
    await ring.zero([one.slot]);
    await expect(ring.read(one.slot)).rejects.toEqual(gone("zeroed"));
    expect(await ring.read(two.slot)).toEqual(two.key);
  });

  it("does not restore keys erased in the primary", async () => {
    const primary = folder();
    const mirror = folder();
    const { slot } = await (await openKeyRing({ directory: primary, mirror })).take();
    await (await openKeyRing({ directory: primary })).zero([slot]);
    const ring = await openKeyRing({ directory: primary, mirror });
    await expect(ring.read(slot)).rejects.toEqual(gone("zeroed"));
    expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });

  it("is filled at start when empty, without erased keys", async () => {
    const primary = folder();
    const alone = await openKeyRing({ directory: primary });
    const taken = await take(alone, 1500);
    const [victim] = taken;
    if (!victim) throw new Error("one key expected");
    await alone.zero([victim.slot]);
    const mirror = folder();
    await openKeyRing({ directory: primary, mirror });
    expect(files(mirror)).toEqual(files(primary));
    rmSync(join(primary, "segments"), { recursive: true });
    const ring = await openKeyRing({ directory: primary, mirror });
    await expect(ring.read(victim.slot)).rejects.toEqual(gone("zeroed"));
    for (const { slot, key } of taken.slice(1)) expect(await ring.read(slot)).toEqual(key);
  });

  it("completes a copy cut off by a crash", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot } = await ring.take();
    truncateSync(fileOf(mirror, slot), 4096);
    await openKeyRing({ directory: primary, mirror });
    expect(keysIn(mirror, slot).equals(keysIn(primary, slot))).toBe(true);
  });

  it("prevents the start when it is missing", async () => {
    const nowhere = join(folder(), "not-mounted");
    await expect(openKeyRing({ directory: folder(), mirror: nowhere })).rejects.toThrow(
      `KEY_MIRROR_DIR (${nowhere}) does not exist: mount its disk`,
    );
  });

  it("stops zeroing and new segments with an explicit error when it becomes unreachable", async () => {
    const { mirror, primary, ring } = await mirrored();
    const { slot } = await ring.take();
    renameSync(join(mirror, "segments"), join(mirror, "away"));
    await expect(ring.zero([slot])).rejects.toThrow(MirrorUnreachable);
    await expect(ring.zero([slot])).rejects.toThrow(mirror);
    await expect(take(ring, 1100)).rejects.toThrow(MirrorUnreachable);
    renameSync(join(mirror, "away"), join(mirror, "segments"));
    await ring.zero([slot]);
    expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
    await take(ring, 1100);
    expect(files(mirror)).toEqual(expect.arrayContaining(files(primary)));
  });

  it("prevents the start when the primary was restored from before an erasure", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot } = await ring.take();
    const copy = folder();
    cpSync(primary, copy, { recursive: true });
    await ring.zero([slot]);
    cpSync(copy, primary, { recursive: true });
    await expect(openKeyRing({ directory: primary, mirror })).rejects.toThrow(KeyFoldersDisagree);
    await expect(openKeyRing({ directory: primary, mirror })).rejects.toThrow("restored from an older copy");
  });

  it("is refused when it belongs to another installation", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot } = await ring.take();
    writeFileSync(fileOf(mirror, slot), randomBytes(32_768));
    await expect(openKeyRing({ directory: primary, mirror })).rejects.toThrow("holds other keys");
  });

  it("does not restore a key zeroed while it is being filled", async () => {
    const primary = folder();
    const taken = await take(await openKeyRing({ directory: primary }), 1024);
    const mirror = folder();
    const alone = await openKeyRing({ directory: primary });
    const zeroing = Promise.all(taken.map(({ slot }) => alone.zero([slot])));
    await openKeyRing({ directory: primary, mirror });
    await zeroing;
    // Another start zeroes what a process without the mirror zeroed.
    const ring = await openKeyRing({ directory: primary, mirror });
    for (const { slot } of taken)
      expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });
});

it("distinguishes keys by a fingerprint", () => {
  const [one, two] = [randomBytes(32), randomBytes(32)];
  expect(keyFingerprint(one)).toMatch(/^[0-9a-f]{32}$/);
  expect(keyFingerprint(one)).toBe(keyFingerprint(Buffer.from(one)));
  expect(keyFingerprint(one)).not.toBe(keyFingerprint(two));
  expect(one.toString("hex")).not.toContain(keyFingerprint(one));
});
