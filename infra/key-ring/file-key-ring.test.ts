import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { keyFingerprint } from "./agreed-files.ts";
import { type KeyRingOptions, openKeyRing as openAt } from "./file-key-ring.ts";
import {
  KeyFoldersDisagree,
  type KeyGone,
  type KeyRing,
  type KeySlot,
  MirrorUnreachable,
} from "./key-ring.ts";

const now = () => new Date("2026-02-03T04:05:06.000Z");
const openKeyRing = (options: Omit<KeyRingOptions, "now">) => openAt({ ...options, now });

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "certificates-keys-"));
  made.push(path);
  return path;
}

/** Two places for keys, and a ring over both. */
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
  it("gives each key a slot of its own, over the border of a segment, and reads each back", async () => {
    const ring = await openKeyRing({ directory: folder() });
    const taken = await take(ring, 2500);
    expect(new Set(taken.map(({ slot }) => place(slot))).size).toBe(2500);
    expect(new Set(taken.map(({ key }) => key.toString("hex"))).size).toBe(2500);
    for (const { slot, key } of taken) expect(await ring.read(slot)).toEqual(key);
    expect(new Set(taken.map(({ slot }) => slot.segment)).size).toBe(3);
  });

  it("never gives a slot again after a restart, nor in a second process", async () => {
    const directory = folder();
    const [first, second] = [await openKeyRing({ directory }), await openKeyRing({ directory })];
    const before = [...(await take(first, 10)), ...(await take(second, 10))];
    const after = await take(await openKeyRing({ directory }), 10);
    expect(new Set([...before, ...after].map(({ slot }) => place(slot))).size).toBe(30);
  });

  it("has a whole segment on disk before its first slot is used", async () => {
    const directory = folder();
    const { slot } = await (await openKeyRing({ directory })).take();
    const bytes = keysIn(directory, slot);
    expect(bytes.length).toBe(32_768);
    expect(bytes.equals(Buffer.alloc(32_768))).toBe(false);
  });

  it("lets only its owner in", async () => {
    const directory = folder();
    chmodSync(directory, 0o755);
    const { slot } = await (await openKeyRing({ directory })).take();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "segments")).mode & 0o777).toBe(0o700);
    expect(statSync(fileOf(directory, slot)).mode & 0o777).toBe(0o600);
  });

  it("works again once a fault of the disk is over", async () => {
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
  it("leaves nothing of the key in its file and leaves its neighbours alone", async () => {
    const directory = folder();
    const ring = await openKeyRing({ directory });
    const [first, victim, last] = await take(ring, 3);
    if (!first || !victim || !last) throw new Error("three keys were asked for");
    expect(readFileSync(fileOf(directory, victim.slot)).includes(victim.key)).toBe(true);
    await ring.zero([victim.slot]);
    expect(readFileSync(fileOf(directory, victim.slot)).includes(victim.key)).toBe(false);
    await expect(ring.read(victim.slot)).rejects.toEqual(gone("zeroed"));
    expect(await ring.probe(victim.slot)).toEqual([Buffer.alloc(32)]);
    expect(await ring.read(first.slot)).toEqual(first.key);
    expect(await ring.read(last.slot)).toEqual(last.key);
  });

  it("may be repeated, and done by another process than the one that took the key", async () => {
    const directory = folder();
    const { slot } = await (await openKeyRing({ directory })).take();
    const other = await openKeyRing({ directory });
    await other.zero([slot]);
    await other.zero([slot, slot]);
    await expect(other.read(slot)).rejects.toEqual(gone("zeroed"));
  });

  it("does not call a key destroyed whose segment it cannot find", async () => {
    const { slot } = await (await openKeyRing({ directory: folder() })).take();
    const elsewhere = await openKeyRing({ directory: folder() });
    await expect(elsewhere.zero([slot])).rejects.toEqual(gone("missing"));
    await expect(elsewhere.read(slot)).rejects.toEqual(gone("missing"));
    expect(await elsewhere.probe(slot)).toEqual([]);
  });

  it("takes no address for a path", async () => {
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

describe("unsettled keys", () => {
  const later = new Date(now().getTime() + 1);

  it("are those in use since before a time and neither settled nor zeroed, also in the eyes of another process", async () => {
    const directory = folder();
    const ring = await openKeyRing({ directory });
    const [settled, zeroed, crashed] = await take(ring, 4);
    if (!settled || !zeroed || !crashed) throw new Error("three keys were asked for");
    await ring.markInUse([settled, zeroed, crashed].map(({ slot }) => slot));
    await ring.settle([settled.slot]);
    await ring.zero([zeroed.slot]);
    const other = await openKeyRing({ directory });
    expect(await other.unsettled(later)).toEqual([crashed.slot]);
    expect(await other.unsettled(now())).toEqual([]);
    expect(await other.read(settled.slot)).toEqual(settled.key);
    expect(await other.read(crashed.slot)).toEqual(crashed.key);
  });
});

describe("the mirror", () => {
  it("holds every key, and loses it with the primary", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot, key } = await ring.take();
    expect(keysIn(mirror, slot).equals(keysIn(primary, slot))).toBe(true);
    await ring.zero([slot]);
    for (const directory of [primary, mirror]) {
      expect(readFileSync(fileOf(directory, slot)).includes(key)).toBe(false);
    }
    expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });

  it("answers for a segment that the primary lost or holds only half of, and can still zero it", async () => {
    const { primary, ring } = await mirrored();
    const [one, two] = await take(ring, 2);
    if (!one || !two) throw new Error("two keys were asked for");
    truncateSync(fileOf(primary, one.slot), 16);
    expect(await ring.read(one.slot)).toEqual(one.key);
    rmSync(fileOf(primary, one.slot));
    expect(await ring.read(two.slot)).toEqual(two.key);
    await ring.zero([one.slot]);
    await expect(ring.read(one.slot)).rejects.toEqual(gone("zeroed"));
    expect(await ring.read(two.slot)).toEqual(two.key);
  });

  it("does not give back what was destroyed in the primary", async () => {
    const primary = folder();
    const mirror = folder();
    const { slot } = await (await openKeyRing({ directory: primary, mirror })).take();
    await (await openKeyRing({ directory: primary })).zero([slot]);
    const ring = await openKeyRing({ directory: primary, mirror });
    await expect(ring.read(slot)).rejects.toEqual(gone("zeroed"));
    expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });

  it("is filled at start when it is empty, with destroyed keys left out", async () => {
    const primary = folder();
    const alone = await openKeyRing({ directory: primary });
    const taken = await take(alone, 1500);
    const [victim] = taken;
    if (!victim) throw new Error("a key was asked for");
    await alone.zero([victim.slot]);
    const mirror = folder();
    await openKeyRing({ directory: primary, mirror });
    expect(files(mirror)).toEqual(files(primary));
    rmSync(join(primary, "segments"), { recursive: true });
    const ring = await openKeyRing({ directory: primary, mirror });
    await expect(ring.read(victim.slot)).rejects.toEqual(gone("zeroed"));
    for (const { slot, key } of taken.slice(1)) expect(await ring.read(slot)).toEqual(key);
  });

  it("completes a copy that a crash cut off", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot } = await ring.take();
    truncateSync(fileOf(mirror, slot), 4096);
    await openKeyRing({ directory: primary, mirror });
    expect(keysIn(mirror, slot).equals(keysIn(primary, slot))).toBe(true);
  });

  it("stops the start when it is not there", async () => {
    const nowhere = join(folder(), "not-mounted");
    await expect(openKeyRing({ directory: folder(), mirror: nowhere })).rejects.toThrow(
      `KEY_MIRROR_DIR (${nowhere}) is not there: mount its disk`,
    );
  });

  it("that goes away stops zeroing and new segments with an error that names it, never silently", async () => {
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

  it("stops the start when the primary was restored from a copy older than a destruction", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot } = await ring.take();
    const copy = folder();
    cpSync(primary, copy, { recursive: true });
    await ring.zero([slot]);
    cpSync(copy, primary, { recursive: true });
    await expect(openKeyRing({ directory: primary, mirror })).rejects.toThrow(KeyFoldersDisagree);
    await expect(openKeyRing({ directory: primary, mirror })).rejects.toThrow("restored from an older copy");
  });

  it("of another installation under the same name is refused", async () => {
    const { primary, mirror, ring } = await mirrored();
    const { slot } = await ring.take();
    writeFileSync(fileOf(mirror, slot), randomBytes(32_768));
    await expect(openKeyRing({ directory: primary, mirror })).rejects.toThrow("holds other keys");
  });

  it("does not bring back a key that is zeroed while the mirror is being filled", async () => {
    const primary = folder();
    const taken = await take(await openKeyRing({ directory: primary }), 1024);
    const mirror = folder();
    const alone = await openKeyRing({ directory: primary });
    const zeroing = Promise.all(taken.map(({ slot }) => alone.zero([slot])));
    await openKeyRing({ directory: primary, mirror });
    await zeroing;
    // One more start zeroes what was zeroed by a process that knew no mirror.
    const ring = await openKeyRing({ directory: primary, mirror });
    for (const { slot } of taken)
      expect(await ring.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
  });
});

it("tells keys apart by a fingerprint that is not the key", () => {
  const [one, two] = [randomBytes(32), randomBytes(32)];
  expect(keyFingerprint(one)).toMatch(/^[0-9a-f]{32}$/);
  expect(keyFingerprint(one)).toBe(keyFingerprint(Buffer.from(one)));
  expect(keyFingerprint(one)).not.toBe(keyFingerprint(two));
  expect(one.toString("hex")).not.toContain(keyFingerprint(one));
});
