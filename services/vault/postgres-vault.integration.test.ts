import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { recordFor, type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { createVault } from "./postgres-vault.ts";
import { RecordGone, type RecordToSeal, RecordUnreadable, recordKinds } from "./vault.ts";
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
const person = z.object({ SurnameAtBirth: z.string() });

/** Number of erased keys in the folder's only segment. */
function zeroedSlots(directory: string): number {
  const [name = "none", ...others] = readdirSync(join(directory, "segments"));
  expect(others).toEqual([]);
  const segment = readFileSync(join(directory, "segments", name));
  return Array.from({ length: 1024 }, (_, slot) => segment.subarray(slot * 32, slot * 32 + 32)).filter(
    (key) => key.equals(Buffer.alloc(32)),
  ).length;
}

describe("sealing and opening", () => {
  it("returns exactly the sealed body", async () => {
    const body = { SurnameAtBirth: "Ŵynn-Ÿorke", list: [1, 2.5, null, true, { deep: "Łódź 🏴󠁧󠁢󠁷󠁬󠁳󠁿" }], empty: "" };
    const record = recordFor({ body });
    expect(await parts.vault.seal(record)).toBe("sealed");
    expect(await parts.vault.open(record.recordId, anything)).toEqual(body);
  });

  it.each([
    ["a short body", 1_000],
    ["a large one, which is read alone", 15_000_000],
  ])("returns exactly the sealed bytes of %s", async (_, length) => {
    const body = randomBytes(length);
    const record = recordFor({ kind: "ticketAttachment", body });
    await parts.vault.seal(record);
    expect(body.equals(await parts.vault.openBytes(record.recordId))).toBe(true);
    // Again from memory, or from the row.
    expect(body.equals(await parts.vault.openBytes(record.recordId))).toBe(true);
    await expect(parts.vault.open(record.recordId, anything)).rejects.toThrow(RecordUnreadable);
    const { kinds, probe } = await parts.vault.destroy([record.recordId]);
    expect([kinds, probe]).toEqual([["ticketAttachment"], "unreadable"]);
    await expect(parts.vault.openBytes(record.recordId)).rejects.toThrow(RecordGone);
  });

  it("ignores the case of ids", async () => {
    const record = recordFor();
    await parts.vault.seal({
      ...record,
      recordId: record.recordId.toUpperCase(),
      subject: record.subject.toUpperCase(),
    });
    expect(await parts.vault.open(record.recordId, person)).toEqual(record.body);
    expect(await parts.vault.seal(record)).toBe("existed");
  });

  it("keeps the first body when the same id is sealed again, and erases the second's key", async () => {
    const record = recordFor();
    expect(await parts.vault.seal(record)).toBe("sealed");
    expect(await parts.vault.seal({ ...record, body: { SurnameAtBirth: "Other" } })).toBe("existed");
    expect(await parts.vault.open(record.recordId, person)).toEqual({ SurnameAtBirth: "Llywelyn" });
  });

  it.each(recordKinds)("accepts the kind %s, as the table does", async (kind) => {
    const record = recordFor({ kind });
    await parts.vault.seal(record);
    expect((await parts.vault.recordsOf(record.subject)).map((kept) => kept.kind)).toEqual([kind]);
  });

  it("reports a record that was never sealed as gone", async () => {
    await expect(parts.vault.open(randomUUID(), anything)).rejects.toThrow(RecordGone);
  });

  it("refuses a body of another shape without quoting it", async () => {
    const record = recordFor({ body: { SurnameAtBirth: 7, secret: "Gwenllian" } });
    await parts.vault.seal(record);
    const refused = parts.vault.open(record.recordId, person.strict());
    await expect(refused).rejects.toThrow(RecordUnreadable);
    await expect(refused).rejects.toThrow("SurnameAtBirth");
    await expect(refused).rejects.not.toThrow("Gwenllian");
  });

  it("accepts one of 20 that seal the same id at once, and leaves no key of the others", async () => {
    const own = await testVault(database.connectionString);
    const record = recordFor();
    const bodies = Array.from({ length: 20 }, (_, n) => ({ SurnameAtBirth: `Number ${n}` }));
    const outcomes = await Promise.all(bodies.map((body) => own.vault.seal({ ...record, body })));
    expect(outcomes.filter((outcome) => outcome === "sealed")).toHaveLength(1);
    expect(await own.vault.open(record.recordId, person)).toEqual(bodies[outcomes.indexOf("sealed")]);
    expect(zeroedSlots(own.keyDir)).toBe(19);
    expect(zeroedSlots(own.mirrorDir)).toBe(19);
    await own.dispose();
  });

  it("resolves two processes sealing the same id at once", async () => {
    const other = await testVault(database.connectionString);
    const records = Array.from({ length: 50 }, () => recordFor());
    const outcomes = await Promise.all(
      records.flatMap((record) => [parts.vault.seal(record), other.vault.seal(record)]),
    );
    await other.dispose();
    expect(outcomes.filter((outcome) => outcome === "sealed")).toHaveLength(50);
  });

  it("seals the rest of a batch when the table refuses one", async () => {
    const good = Array.from({ length: 5 }, () => recordFor());
    const bad = recordFor({ recordId: "not-a-uuid" });
    const outcomes = await Promise.allSettled(
      [...good.slice(0, 3), bad, ...good.slice(3)].map((record) => parts.vault.seal(record)),
    );
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ]);
    for (const record of good) expect(await parts.vault.open(record.recordId, person)).toEqual(record.body);
  });
});

describe("opening", () => {
  /** The same vault, with a clock of its own, which notes the names of its statements. */
  function watchedVault() {
    const statements: string[] = [];
    let atMs = Date.parse("2026-05-01T09:00:00Z");
    const pool: Database = {
      query: (statement) => {
        statements.push(statement.name);
        return parts.pool.query(statement);
      },
    };
    const vault = createVault({ pool, keyRing: parts.keyRing, now: () => new Date(atMs) });
    return {
      vault,
      statements,
      pass: (ms: number) => {
        atMs += ms;
      },
    };
  }

  async function sealedPair(): Promise<[RecordToSeal, RecordToSeal]> {
    const pair: [RecordToSeal, RecordToSeal] = [
      recordFor(),
      recordFor({ body: { SurnameAtBirth: "Second" } }),
    ];
    for (const record of pair) await parts.vault.seal(record);
    return pair;
  }

  it("reads what is opened together with one statement, each with its own outcome", async () => {
    const { vault, statements } = watchedVault();
    const [one, two] = await sealedPair();
    const outcomes = await Promise.allSettled(
      [one.recordId, two.recordId, randomUUID(), one.recordId].map((id) => vault.open(id, anything)),
    );
    expect(statements).toEqual(["vault-rows"]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: one.body },
      { status: "fulfilled", value: two.body },
      { status: "rejected", reason: expect.any(RecordGone) },
      { status: "fulfilled", value: one.body },
    ]);
  });

  it("opens the others when the table refuses one", async () => {
    const { vault } = watchedVault();
    const [one, two] = await sealedPair();
    const opened = [one.recordId, two.recordId, "not-a-uuid"].map((id) => vault.open(id, anything));
    const outcomes = await Promise.allSettled(opened);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });

  it("reads a row again after five seconds", async () => {
    const { vault, statements, pass } = watchedVault();
    const [one] = await sealedPair();
    for (const ms of [0, 4_999]) {
      pass(ms);
      expect(await vault.open(one.recordId, anything)).toEqual(one.body);
    }
    expect(statements).toEqual(["vault-rows"]);
    pass(1);
    expect(await vault.open(one.recordId, anything)).toEqual(one.body);
    expect(statements).toEqual(["vault-rows", "vault-rows"]);
  });

  it("never opens a record that another process erased a moment ago", async () => {
    const { vault } = watchedVault();
    const [one, two] = await sealedPair();
    for (const { recordId, body } of [one, two]) expect(await vault.open(recordId, anything)).toEqual(body);
    await parts.vault.destroy([one.recordId]);
    await expect(vault.open(one.recordId, anything)).rejects.toThrow(RecordGone);
    expect(await vault.open(two.recordId, anything)).toEqual(two.body);
  });
});

describe("finding and due times", () => {
  it("lists a subject's records by class, without erased ones", async () => {
    const subject = randomUUID();
    const application = recordFor({ subject });
    const signature = recordFor({ subject, kind: "signature" });
    const contact = recordFor({ subject, dataClass: "contact", kind: "contact" });
    for (const record of [application, signature, contact]) await parts.vault.seal(record);
    const idsOf = async (dataClass?: "application" | "contact") =>
      new Set((await parts.vault.recordsOf(subject, dataClass)).map(({ recordId }) => recordId));
    expect(await idsOf()).toEqual(new Set([application, signature, contact].map(({ recordId }) => recordId)));
    expect(await idsOf("contact")).toEqual(new Set([contact.recordId]));
    await parts.vault.destroy([application.recordId, signature.recordId]);
    expect(await parts.vault.recordsOf(subject)).toEqual([
      {
        ...{
          recordId: contact.recordId,
          subject,
          dataClass: "contact",
          kind: "contact",
          dueAt: contact.dueAt,
        },
        sealedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
  });
});

describe("tampering", () => {
  /** Seals two records, changes the table directly, and opens the first. */
  async function openAfter(change: string): Promise<unknown> {
    const [one, two] = [recordFor(), recordFor({ body: { SurnameAtBirth: "Second" } })];
    for (const record of [one, two]) await parts.vault.seal(record);
    await parts.pool.query(
      change.replaceAll("$one", `'${one.recordId}'`).replaceAll("$two", `'${two.recordId}'`),
    );
    return parts.vault.open(one.recordId, anything);
  }

  it("opens an unchanged record (control)", async () => {
    expect(await openAfter("update vault_records set due_at = now() where record_id = $one")).toEqual({
      SurnameAtBirth: "Llywelyn",
    });
  });

  it.each([
    [
      "a flipped bit",
      "update vault_records set ciphertext = set_byte(ciphertext, 3, get_byte(ciphertext, 3) # 1) where record_id = $one",
    ],
    [
      "a cut tail",
      "update vault_records set ciphertext = substr(ciphertext, 1, length(ciphertext) - 1) where record_id = $one",
    ],
    ["an empty ciphertext", "update vault_records set ciphertext = '' where record_id = $one"],
    [
      "another nonce",
      "update vault_records set nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) where record_id = $one",
    ],
    ["a short nonce", "update vault_records set nonce = substr(nonce, 1, 8) where record_id = $one"],
    ["another class", "update vault_records set data_class = 'contact' where record_id = $one"],
    ["another kind", "update vault_records set kind = 'signature' where record_id = $one"],
    ["another version", "update vault_records set schema_version = 2 where record_id = $one"],
    ["another subject", "update vault_records set subject = gen_random_uuid() where record_id = $one"],
    [
      "another record's row",
      "delete from vault_records where record_id = $one; update vault_records set record_id = $one where record_id = $two",
    ],
    [
      "another record's key",
      "do $do$ declare s text; n int; begin delete from vault_records where record_id = $two returning key_segment, key_slot into s, n; update vault_records set key_segment = s, key_slot = n where record_id = $one; end $do$",
    ],
    [
      "another record's envelope",
      "update vault_records a set ciphertext = b.ciphertext, nonce = b.nonce from vault_records b where a.record_id = $one and b.record_id = $two",
    ],
    ["a missing segment", "update vault_records set key_segment = repeat('0', 32) where record_id = $one"],
  ])("detects %s", async (_, change) => {
    await expect(openAfter(change)).rejects.toThrow(RecordUnreadable);
  });

  it("prevents two records from sharing a key, by a constraint", async () => {
    await expect(
      openAfter(
        "update vault_records a set key_slot = b.key_slot, key_segment = b.key_segment from vault_records b where a.record_id = $one and b.record_id = $two",
      ),
    ).rejects.toThrow("vault_key_slot_serves_once");
  });
});

it("distinguishes a wrong key folder from an erased record", async () => {
  const record = recordFor();
  const elsewhere = await testVault(database.connectionString);
  await parts.vault.seal(record);
  await expect(elsewhere.vault.open(record.recordId, anything)).rejects.toThrow(RecordUnreadable);
  await expect(elsewhere.vault.open(record.recordId, anything)).rejects.toThrow("KEY_DIR");
  await elsewhere.dispose();
  expect(await parts.vault.open(record.recordId, person)).toEqual(record.body);
});

it("opens records from the mirror if the primary lost their keys", async () => {
  const own = await testVault(database.connectionString);
  const record = recordFor();
  await own.vault.seal(record);
  rmSync(own.keyDir, { recursive: true });
  expect(await own.vault.open(record.recordId, person)).toEqual(record.body);
  await own.dispose();
});

it("has no column that could hold personal data", async () => {
  const { rows } = await parts.pool.query(
    "select column_name, data_type from information_schema.columns where table_name = 'vault_records' and data_type in ('text', 'json', 'jsonb', 'character varying', 'USER-DEFINED') order by 1",
  );
  const free = rows.map((row: { column_name: string }) => row.column_name);
  expect(free).toEqual(["data_class", "key_fingerprint", "key_segment", "kind"]);
  for (const column of free) {
    const typed = parts.pool.query(`update vault_records set ${column} = 'Gwenllian'`);
    await expect(typed, column).rejects.toThrow("check constraint");
  }
});
