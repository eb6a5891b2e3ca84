import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { carriedOut, statementsOf } from "../../testing/postgres/query-plan-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { recordFor, type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { claimDue } from "./due-records.ts";
import type { DueClaim, RecordToSeal } from "./vault.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let parts: TestVault;
beforeAll(async () => {
  database = await testDatabase();
  parts = await testVault(database.connectionString);
});
beforeEach(async () => {
  await parts.pool.query("delete from vault_records");
});
afterAll(async () => {
  await parts.dispose();
  await database.drop();
});

const at = (second: number) => new Date(Date.UTC(2001, 0, 1, 0, 0, second)).toISOString();
const day = (days: number) => new Date(Date.UTC(2001, 0, 1 + days)).toISOString();

async function sealed(dueAt: string, overrides: Partial<RecordToSeal> = {}): Promise<string> {
  const record = recordFor({ dueAt, ...overrides });
  await parts.vault.seal(record);
  return record.recordId;
}

const claim = async (now: string, changes: Partial<DueClaim> = {}) =>
  (
    await parts.vault.claimDue({
      now,
      keptDays: 365,
      until: "2030-01-01T00:00:00.000Z",
      limit: 10,
      ...changes,
    })
  )
    .map(({ recordId }) => recordId)
    .sort();

describe("Due records", () => {
  it("are claimed once, oldest first, up to the limit", async () => {
    const [third, first, second] = [await sealed(at(3)), await sealed(at(1)), await sealed(at(2))];
    expect(await claim(at(0))).toEqual([]);
    expect(await claim(at(9), { limit: 2 })).toEqual([first, second].sort());
    expect(await claim(at(9))).toEqual([third]);
    expect(await claim(at(9))).toEqual([]);
  });

  it("come back when a claim ends without result, and not if they were rescheduled", async () => {
    const [lost, looked] = [await sealed(at(1)), await sealed(at(1))];
    await claim(at(2), { until: at(5) });
    await parts.vault.lookAgain([{ recordId: looked, dueAt: at(60), keptDays: null }]);
    expect(await claim(at(4))).toEqual([]);
    expect(await claim(at(5))).toEqual([lost]);
    expect(await claim(at(60))).toEqual([looked]);
  });

  it("are shared between simultaneous sweeps, each claimed by one", async () => {
    const all = await Promise.all(Array.from({ length: 120 }, () => sealed(at(1))));
    const taken = await Promise.all(Array.from({ length: 8 }, () => claim(at(2), { limit: 25 })));
    const rest = await claim(at(2), { limit: 120 });
    expect([...taken.flat(), ...rest].sort()).toEqual(all.sort());
  });

  it("are rescheduled without changing others of their subject", async () => {
    const subject = randomUUID();
    const [named, orphan] = [await sealed(at(1), { subject }), await sealed(at(7), { subject })];
    await claim(at(2));
    await parts.vault.lookAgain([{ recordId: named, dueAt: day(365), keptDays: 365 }]);
    expect(await claim(at(7))).toEqual([orphan]);
  });

  it("are neither due nor rescheduled once erased", async () => {
    const recordId = await sealed(at(1));
    await parts.vault.destroy([recordId]);
    await parts.vault.lookAgain([{ recordId, dueAt: at(2), keptDays: null }]);
    expect(await claim(at(9))).toEqual([]);
  });
});

describe("Records with a retention time", () => {
  const kept = async (dueInDays: number, keptDays: number | null) => {
    const recordId = await sealed(at(0));
    await parts.vault.lookAgain([{ recordId, dueAt: day(dueInDays), keptDays }]);
    return recordId;
  };

  it("are due sooner by as many days as the time is shortened, whatever time they had", async () => {
    const [year, half] = [await kept(265, 365), await kept(100, 200)];
    const [later, undated] = [await kept(300, 365), await kept(266, null)];
    expect(await claim(day(65), { keptDays: 365 })).toEqual([]);
    expect(await claim(day(64), { keptDays: 165 })).toEqual([]);
    expect(await claim(day(65), { keptDays: 165 })).toEqual([half, year].sort());
    expect(await claim(day(65), { keptDays: 165 })).toEqual([]);
    expect(await claim(day(100), { keptDays: 165 })).toEqual([later]);
    expect(await claim(day(266), { keptDays: 165 })).toEqual([undated]);
  });

  it("are claimed up to the limit, after records due in any case", async () => {
    const due = await sealed(at(0));
    await kept(265, 365);
    await kept(266, 366);
    expect(await claim(day(250), { keptDays: 30, limit: 1 })).toEqual([due]);
    expect(await claim(day(250), { keptDays: 30, limit: 1 })).toHaveLength(1);
    expect(await claim(day(250), { keptDays: 30 })).toHaveLength(1);
  });
});

it("are found by index among 100,000, whether due or made due by a shorter time", async () => {
  const [kept, part] = [100_000, 10_000];
  // In batches, because a statement is cut off after 30 s.
  for (let from = 1; from < kept; from += part) {
    await parts.pool.query(
      `insert into vault_records (record_id, subject, data_class, kind, schema_version, key_segment, key_slot,
                                  key_fingerprint, nonce, ciphertext, due_at, sealed_at, kept_days)
       select id, id, 'contact', 'contact', 1, lpad(to_hex(n / 1024), 32, '0'), n % 1024,
              repeat('0', 32), '\\x00', '\\x00', '2002-01-01'::timestamptz + n * interval '1 minute', now(),
              case when n % 20 = 0 then 365 else 300 end
       from generate_series($1::int, $2::int) n,
            lateral (select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id) as made`,
      [from, from + part - 1],
    );
  }
  await parts.pool.query("analyze vault_records");
  for (const [keptDays, claims] of [
    [365, ["vault_records_due"]],
    // Shortened: nothing is due in any case, and one stored retention is longer.
    [300, ["vault_records_due", "vault_records_kept", "vault_records_kept"]],
  ] as const) {
    const now = keptDays === 365 ? "2002-01-01T01:00:00.000Z" : "2001-12-01T00:00:00.000Z";
    const statements = await statementsOf(parts.pool, (recording) =>
      claimDue(recording, { now, keptDays, until: now, limit: 200 }),
    );
    const carried = [];
    for (const statement of statements) carried.push(await carriedOut(parts.pool, statement));
    expect(carried.flatMap(({ scanned }) => scanned)).toEqual([]);
    for (const [n, index] of claims.entries()) expect(carried[n]?.indexes).toContain(index);
    // Reading and writing a batch of 200, with its index entries.
    for (const { blocks } of carried) expect(blocks).toBeLessThan(12_000);
  }
}, 200_000);
