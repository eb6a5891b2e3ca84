import { randomBytes } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { compactSegments } from "./compact-segments.ts";
import { openKeyRing as openAt } from "./file-key-ring.ts";
import { KeyFoldersDisagree, type KeyGone, type KeyRing, type KeySlot } from "./key-ring.ts";
import { openSegmentFolder, type SegmentFolder } from "./segment-folder.ts";

const openKeyRing = (directory: string, mirror?: string) =>
  openAt({ directory, mirror, now: () => new Date("2026-02-03T04:05:06.000Z") });

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
const folder = () => temporaryFolder("compact");

type Taken = { readonly slot: KeySlot; readonly key: Buffer };

/** Two folders with three segments: all keys of two were erased, and half the keys of the third. */
type Used = {
  readonly primary: string;
  readonly mirror: string;
  readonly living: readonly Taken[];
  readonly destroyed: readonly KeySlot[];
};

async function used(): Promise<Used> {
  const [primary, mirror] = [folder(), folder()];
  const ring = await openKeyRing(primary, mirror);
  const taken = await Promise.all(Array.from({ length: 2_560 }, () => ring.take()));
  const [destroyed, living] = [taken.slice(0, 2_304).map(({ slot }) => slot), taken.slice(2_304)];
  await ring.zero(destroyed);
  await ring.close();
  return { primary, mirror, living, destroyed };
}

const segmentsIn = (directory: string) =>
  readdirSync(join(directory, "segments")).filter((name) => name.endsWith(".keys"));
const listOf = (directory: string) => join(directory, "segments", "emptied.list");
const gone = (reason: KeyGone["reason"]) => expect.objectContaining({ name: "KeyGone", reason });

/** Each living key opens; each erased one is zeros, and may be erased again. */
async function expectWhole(ring: KeyRing, { living, destroyed }: Used): Promise<void> {
  for (const { slot, key } of living) expect(await ring.read(slot)).toEqual(key);
  for (const slot of destroyed.filter((_, n) => n % 100 === 0)) {
    await expect(ring.read(slot)).rejects.toEqual(gone("zeroed"));
    const found = await ring.probe(slot);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((bytes) => bytes.equals(Buffer.alloc(32)))).toBe(true);
    await ring.zero([slot]);
  }
}

describe("compacting", () => {
  it("removes segments without keys in both folders; their keys still count as erased, not as missing", async () => {
    const keys = await used();
    expect(segmentsIn(keys.primary)).toHaveLength(3);
    const ring = await openKeyRing(keys.primary, keys.mirror);
    expect(await ring.compact()).toBe(2);
    for (const directory of [keys.primary, keys.mirror]) expect(segmentsIn(directory)).toHaveLength(1);
    await expectWhole(ring, keys);
    await expectWhole(await openKeyRing(keys.primary, keys.mirror), keys);
    await expectWhole(await openKeyRing(keys.primary), keys);
    expect(await ring.compact()).toBe(0);
    const unknown = { segment: "0".repeat(32), slot: 1 };
    await expect(ring.read(unknown)).rejects.toEqual(gone("missing"));
    await expect(ring.zero([unknown])).rejects.toEqual(gone("missing"));
  });

  it("keeps keys still to be handed out, and those erased in one folder only", async () => {
    const [primary, mirror] = [folder(), folder()];
    const ring = await openKeyRing(primary, mirror);
    const { slot } = await ring.take();
    await ring.zero([slot]);
    expect(await ring.compact()).toBe(0);
    const { slot: next, key } = await ring.take();
    expect(await ring.read(next)).toEqual(key);
    await ring.zero([next]);
    const inMirror = readFileSync(join(mirror, "segments", `${slot.segment}.keys`));
    await ring.close();
    writeFileSync(join(mirror, "segments", `${slot.segment}.keys`), inMirror);
    expect(await ring.compact()).toBe(0);
    expect(segmentsIn(primary)).toHaveLength(1);
    await expect(ring.take()).rejects.toThrow("closed");
  });

  it("resolves keys whose segment another process has removed meanwhile", async () => {
    const keys = await used();
    const [slot] = keys.destroyed;
    if (!slot) throw new Error("Some were erased.");
    const ring = await openKeyRing(keys.primary, keys.mirror);
    await (await openKeyRing(keys.primary, keys.mirror)).compact();
    await ring.settle([slot]);
    expect(await ring.unsettled(new Date(8e15))).toEqual([]);
  });
});

class Killed extends Error {}

/** A folder whose process dies before the nth step, counted over both folders. */
function mortal(of: SegmentFolder, step: () => void): SegmentFolder {
  return {
    ...of,
    zeroAll: async (segment) => {
      step();
      return of.zeroAll(segment);
    },
    discard: async (segments) => {
      for (const segment of segments) {
        step();
        await of.discard([segment]);
      }
    },
    emptied: {
      ...of.emptied,
      add: async (segments) => {
        for (const segment of segments) {
          step();
          await of.emptied.add([segment]);
        }
      },
    },
  };
}

describe("a process killed while compacting", () => {
  it.each([true, false])(
    "loses no key and restores none, at each step (with a mirror: %s)",
    async (mirrored) => {
      let killedAt = 0;
      for (let last = 1; killedAt < last; last++) {
        const keys = await used();
        const [primary, mirror] = [
          await openSegmentFolder(join(keys.primary, "segments")),
          await openSegmentFolder(join(keys.mirror, "segments")),
        ];
        let steps = 0;
        const step = () => {
          if (++steps === last) throw new Killed();
        };
        const compacted = compactSegments(mortal(primary, step), mirrored ? mortal(mirror, step) : undefined);
        const wasKilled = await compacted.then(
          () => false,
          (error: unknown) => error instanceof Killed,
        );
        if (!wasKilled) break;
        killedAt = last;
        const ring = await openKeyRing(keys.primary, keys.mirror);
        await expectWhole(ring, keys);
        await ring.compact();
        for (const directory of [keys.primary, keys.mirror]) expect(segmentsIn(directory)).toHaveLength(1);
        await expectWhole(ring, keys);
      }
      // Of two segments: listed and removed, in one folder or two.
      expect(killedAt).toBe(mirrored ? 8 : 4);
    },
  );

  it("may leave a partial line in the list, which is ignored", async () => {
    for (const half of ["\n", "\n0123", `\n${"0".repeat(31)}`, `\n${"0".repeat(32)}\nfed`]) {
      const keys = await used();
      for (const directory of [keys.primary, keys.mirror]) writeFileSync(listOf(directory), half);
      const ring = await openKeyRing(keys.primary, keys.mirror);
      await expectWhole(ring, keys);
      expect(await ring.compact()).toBe(2);
      await expectWhole(await openKeyRing(keys.primary, keys.mirror), keys);
      await expectWhole(await openKeyRing(keys.primary), keys);
    }
  });
});

describe("an older copy of a folder", () => {
  it("as the primary prevents the start, with and without the mirror", async () => {
    const keys = await used();
    const { destroyed, ...before } = { ...keys, destroyed: keys.living.map(({ slot }) => slot) };
    const copy = folder();
    cpSync(before.primary, copy, { recursive: true });
    const ring = await openKeyRing(before.primary, before.mirror);
    await ring.zero(destroyed);
    expect(await ring.compact()).toBe(3);
    // The files came back; if the whole folder did, the list is older too.
    cpSync(copy, before.primary, { recursive: true });
    await expect(openKeyRing(before.primary)).rejects.toThrow(KeyFoldersDisagree);
    rmSync(listOf(before.primary));
    await expect(openKeyRing(before.primary, before.mirror)).rejects.toThrow("restored from an older copy");
  });

  it("as the mirror is zeroed and removed", async () => {
    const keys = await used();
    const copy = folder();
    const ring = await openKeyRing(keys.primary, keys.mirror);
    cpSync(keys.mirror, copy, { recursive: true });
    await ring.zero(keys.living.map(({ slot }) => slot));
    await (await openKeyRing(keys.primary)).compact();
    rmSync(join(keys.mirror, "segments"), { recursive: true });
    cpSync(copy, keys.mirror, { recursive: true });
    const all = {
      ...keys,
      living: [],
      destroyed: [...keys.destroyed, ...keys.living.map(({ slot }) => slot)],
    };
    await expectWhole(await openKeyRing(keys.primary, keys.mirror), all);
    expect(segmentsIn(keys.mirror)).toEqual([]);
    const bytes = readdirSync(join(keys.mirror, "segments")).map((name) =>
      readFileSync(join(keys.mirror, "segments", name)),
    );
    for (const { key } of keys.living) expect(bytes.some((file) => file.includes(key))).toBe(false);
  });
});

it("opens 500 mirrored segments, 480 without keys, with a fraction of the previous reads", async () => {
  const [primary, mirror] = [folder(), folder()];
  await openKeyRing(primary, mirror);
  for (let n = 0; n < 500; n++) {
    const bytes = n % 25 === 0 ? randomBytes(32_768) : Buffer.alloc(32_768);
    const name = `${n.toString(16).padStart(32, "0")}.keys`;
    for (const directory of [primary, mirror]) writeFileSync(join(directory, "segments", name), bytes);
  }
  const open = vi.spyOn(files, "open");
  syncBuiltinESMExports();
  const opened = async () => {
    open.mockClear();
    await openKeyRing(primary, mirror);
    return open.mock.calls.length;
  };
  const before = await opened();
  expect(before).toBeGreaterThanOrEqual(1_000);
  expect(await (await openKeyRing(primary, mirror)).compact()).toBe(480);
  expect(await opened()).toBeLessThan(before / 15);
});
