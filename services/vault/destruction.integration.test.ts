import { createHash, randomUUID } from "node:crypto";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { keyFingerprint } from "../../infra/key-ring/durable-files.ts";
import type { KeyRing, KeySlot } from "../../infra/key-ring/key-ring.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { recordFor, type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { createVault } from "./postgres-vault.ts";
import { ProbeFailed, RecordGone, type RecordToSeal, RecordUnreadable, type Vault } from "./vault.ts";
import type { Database } from "./vault-rows.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let parts: TestVault;
beforeAll(async () => {
  database = await testDatabase();
  parts = await testVault(database.connectionString);
});
afterAll(async () => {
  await parts.dispose();
  await database.drop();
});

const anything = z.unknown();
const now = () => new Date();

/** The same vault with some dependencies replaced. */
function vaultWith(keyRing: Partial<KeyRing>, pool: Database = parts.pool): Vault {
  return createVault({ pool, keyRing: { ...parts.keyRing, ...keyRing }, now });
}

async function sealed(count: number, overrides: Partial<RecordToSeal> = {}): Promise<RecordToSeal[]> {
  const records = Array.from({ length: count }, () => recordFor(overrides));
  for (const record of records) await parts.vault.seal(record);
  return records;
}
const idsOf = (records: readonly RecordToSeal[]) => records.map(({ recordId }) => recordId);

describe("erasing", () => {
  it("makes records unreadable, leaves the others alone, and returns a receipt", async () => {
    const subject = randomUUID();
    const [survivor] = await sealed(1, { subject });
    const destroyed = [
      ...(await sealed(1, { subject })),
      ...(await sealed(1, { subject, kind: "signature" })),
      ...(await sealed(1, { subject })),
    ];
    const receipt = await parts.vault.destroy(idsOf(destroyed));
    expect(receipt).toEqual({
      recordIds: idsOf(destroyed).sort(),
      kinds: ["application", "signature"],
      keyFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      probe: "unreadable",
    });
    for (const recordId of idsOf(destroyed)) {
      await expect(parts.vault.open(recordId, anything)).rejects.toThrow(RecordGone);
    }
    expect(await parts.vault.open(survivor?.recordId ?? "", anything)).toEqual(survivor?.body);
  });

  it("returns the same receipt for repeated ids in any order", async () => {
    const ids = idsOf(await sealed(3));
    const receipt = await parts.vault.destroy(ids);
    expect(await parts.vault.destroy([...ids].reverse())).toEqual(receipt);
    expect(await parts.vault.destroy([...ids, ...ids.map((id) => id.toUpperCase())])).toEqual(receipt);
  });

  it("has another fingerprint for other records", async () => {
    const [one, two] = idsOf(await sealed(2));
    const first = await parts.vault.destroy([one ?? ""]);
    expect((await parts.vault.destroy([two ?? ""])).keyFingerprint).not.toBe(first.keyFingerprint);
  });

  it("counts an id that was never sealed as erased, adding only the id", async () => {
    const [recordId = ""] = idsOf(await sealed(1));
    const unknown = randomUUID();
    const receipt = await parts.vault.destroy([recordId, unknown]);
    expect(receipt.recordIds).toEqual([recordId, unknown].sort());
    expect(receipt.keyFingerprint).toBe((await parts.vault.destroy([recordId])).keyFingerprint);
    expect((await parts.vault.destroy([unknown])).kinds).toEqual([]);
  });

  it("prevents an erased id from being sealed again", async () => {
    const [record = recordFor()] = await sealed(1);
    await parts.vault.destroy([record.recordId]);
    expect(await parts.vault.seal(record)).toBe("existed");
    await expect(parts.vault.open(record.recordId, anything)).rejects.toThrow(RecordGone);
  });

  it("leaves a tombstone without an envelope", async () => {
    const [recordId = ""] = idsOf(await sealed(1));
    await parts.vault.destroy([recordId]);
    const { rows } = await parts.pool.query(
      "select nonce, ciphertext, destroyed_at is not null as destroyed from vault_records where record_id = $1",
      [recordId],
    );
    expect(rows).toEqual([{ nonce: null, ciphertext: null, destroyed: true }]);
  });

  it("gives concurrent readers the whole record or none of it", async () => {
    const records = await sealed(20);
    const opened = records.flatMap((record) =>
      Array.from({ length: 10 }, () =>
        parts.vault.open(record.recordId, anything).then(
          (body) => expect(body).toEqual(record.body),
          (error: unknown) => expect(error).toBeInstanceOf(RecordGone),
        ),
      ),
    );
    await Promise.all([...opened, ...idsOf(records).map((id) => parts.vault.destroy([id]))]);
    for (const id of idsOf(records)) await expect(parts.vault.open(id, anything)).rejects.toThrow(RecordGone);
  });

  it("can run in several processes at once, with one receipt", async () => {
    const ids = idsOf(await sealed(10));
    const receipts = await Promise.all(Array.from({ length: 8 }, () => parts.vault.destroy(ids)));
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
  });
});

describe("a crash while erasing", () => {
  class Crash extends Error {}
  const crash = (): never => {
    throw new Crash("the process died here");
  };
  /** Lets the first queries of an erasure through: 1 reads the rows, 2 empties them. */
  const queriesUntil = (count: number, when: "before" | "after"): Database => {
    let seen = 0;
    return {
      query: async (statement) => {
        seen += 1;
        if (seen === count && when === "before") crash();
        const result = await parts.pool.query(statement);
        return seen === count ? crash() : result;
      },
    };
  };
  const zeroOnly = (count: number): Partial<KeyRing> => ({
    zero: async (slots) => {
      await parts.keyRing.zero(slots.slice(0, count));
      crash();
    },
  });
  let probes = 0;
  const probeUntil = (count: number): Partial<KeyRing> => ({
    probe: (slot) => (++probes > count ? crash() : parts.keyRing.probe(slot)),
  });

  const points: [string, () => Vault][] = [
    ["before the rows are read", () => vaultWith({}, queriesUntil(1, "before"))],
    ["before the first key is zeroed", () => vaultWith({ zero: crash })],
    ["after the first key is zeroed", () => vaultWith(zeroOnly(1))],
    ["after all keys are zeroed", () => vaultWith(zeroOnly(3))],
    ["before the probe", () => vaultWith(probeUntil(3))],
    ["between two probes", () => vaultWith(probeUntil(4))],
    ["before the rows are emptied", () => vaultWith({}, queriesUntil(2, "before"))],
    [
      "after the rows are emptied, before the receipt is returned",
      () => vaultWith({}, queriesUntil(2, "after")),
    ],
  ];

  it.each(points)("%s is repaired by repeating, with the same receipt", async (_, broken) => {
    probes = 0;
    const ids = idsOf(await sealed(3)).sort();
    const slots = await Promise.all(ids.map(slotOf));
    const expected = createHash("sha256").update("certificates/destroyed-keys/1\0");
    for (const id of ids) expected.update(keyFingerprint(await keyOf(id)));
    await expect(broken().destroy(ids)).rejects.toThrow(Crash);
    const receipt = {
      recordIds: ids,
      kinds: ["application"],
      keyFingerprint: expected.digest("hex"),
      probe: "unreadable",
    };
    expect(await parts.vault.destroy(ids)).toEqual(receipt);
    expect(await parts.vault.destroy(ids)).toEqual(receipt);
    for (const slot of slots) {
      expect(await parts.keyRing.probe(slot)).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
    }
    for (const id of ids) await expect(parts.vault.open(id, anything)).rejects.toThrow(RecordGone);
    expect(await unfinished(ids)).toBe(0);
  });

  it("halfway leaves a record unreadable, and still listed to be finished", async () => {
    const [record = recordFor()] = await sealed(1);
    await expect(vaultWith(zeroOnly(1)).destroy([record.recordId])).rejects.toThrow(Crash);
    await expect(parts.vault.open(record.recordId, anything)).rejects.toThrow(RecordGone);
    expect(await parts.vault.recordsOf(record.subject)).toMatchObject([{ recordId: record.recordId }]);
    await parts.vault.destroy([record.recordId]);
    expect(await parts.vault.recordsOf(record.subject)).toEqual([]);
  });
});

describe("the probe", () => {
  it("finds a key that was not erased, and then reports nothing as erased", async () => {
    const [record = recordFor()] = await sealed(1);
    await expect(vaultWith({ zero: async () => undefined }).destroy([record.recordId])).rejects.toThrow(
      ProbeFailed,
    );
    expect(await parts.vault.open(record.recordId, anything)).toEqual(record.body);
  });

  it("finds a key that survives only in the mirror", async () => {
    const [record = recordFor()] = await sealed(1);
    const survivor = await keyOf(record.recordId);
    const probe: KeyRing["probe"] = async (slot) => {
      const [here] = await parts.keyRing.probe(slot);
      return here ? [here, Buffer.from(survivor)] : [];
    };
    await expect(vaultWith({ probe }).destroy([record.recordId])).rejects.toThrow(ProbeFailed);
  });

  it("does not trust a key folder without the segment", async () => {
    const [record = recordFor()] = await sealed(1);
    const elsewhere = await testVault(database.connectionString);
    await expect(elsewhere.vault.destroy([record.recordId])).rejects.toThrow(ProbeFailed);
    await expect(elsewhere.vault.destroy([record.recordId])).rejects.toThrow("KEY_DIR");
    await elsewhere.dispose();
    expect(await parts.vault.open(record.recordId, anything)).toEqual(record.body);
  });

  it("accepts a lost segment that an operator replaced with zeros", async () => {
    const own = await testVault(database.connectionString);
    const record = recordFor();
    await own.vault.seal(record);
    const [file = "none"] = readdirSync(join(own.keyDir, "segments"));
    const copies = [own.keyDir, own.mirrorDir].map((place) => join(place, "segments", file));
    for (const copy of copies) rmSync(copy);
    await expect(own.vault.destroy([record.recordId])).rejects.toThrow(ProbeFailed);
    for (const copy of copies) writeFileSync(copy, Buffer.alloc(32_768));
    expect((await own.vault.destroy([record.recordId])).probe).toBe("unreadable");
    await own.dispose();
  });

  it("waits for an unavailable mirror, and continues when it returns", async () => {
    const own = await testVault(database.connectionString);
    const record = recordFor();
    await own.vault.seal(record);
    const [there, away] = [join(own.mirrorDir, "segments"), join(own.mirrorDir, "away")];
    renameSync(there, away);
    await expect(own.vault.destroy([record.recordId])).rejects.toMatchObject({ name: "MirrorUnreachable" });
    renameSync(away, there);
    expect((await own.vault.destroy([record.recordId])).probe).toBe("unreadable");
    await own.dispose();
  });

  it("does not erase another record's key, even if the row was changed to point to it", async () => {
    const [forged = recordFor()] = await sealed(1);
    const { slot, key } = await parts.keyRing.take();
    await parts.pool.query("update vault_records set key_segment = $2, key_slot = $3 where record_id = $1", [
      forged.recordId,
      slot.segment,
      slot.slot,
    ]);
    await expect(parts.vault.destroy([forged.recordId])).rejects.toThrow(RecordUnreadable);
    expect(await parts.keyRing.read(slot)).toEqual(key);
  });
});

async function slotOf(recordId: string): Promise<KeySlot> {
  const { rows } = await parts.pool.query<KeySlot>(
    "select key_segment as segment, key_slot as slot from vault_records where record_id = $1",
    [recordId],
  );
  const [slot] = rows;
  if (!slot) throw new Error(`record ${recordId} has no row`);
  return slot;
}

async function unfinished(recordIds: readonly string[]): Promise<number> {
  const { rows } = await parts.pool.query(
    "select 1 from vault_records where record_id = any($1) and ciphertext is not null",
    [recordIds],
  );
  return rows.length;
}

const keyOf = async (recordId: string): Promise<Buffer> => parts.keyRing.read(await slotOf(recordId));
