import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { recordFor, type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { type BlindIndex, createBlindIndex } from "./blind-index.ts";
import type { Findable } from "./index-terms.ts";
import { clearKeylessMonths, closeMonths } from "./month-keys.ts";
import { RecordUnreadable } from "./vault.ts";

let held: TestVault;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await testDatabase();
  held = await testVault(database.connectionString);
  drop = async () => {
    await held.dispose();
    await database.drop();
  };
});
afterAll(() => drop());

const person = (changes: Partial<Findable> = {}): Findable => ({
  email: `${randomUUID()}@mail.example`,
  name: "Mrs Siân Rhys",
  postcode: "CF10 1AA",
  ...changes,
});

/** An index in a process whose clock shows this day. */
const indexOn = (day: string): BlindIndex => createBlindIndex(partsOn(day));
const partsOn = (day: string) => ({
  pool: held.pool,
  keyRing: held.keyRing,
  now: () => new Date(`${day}T12:00:00Z`),
});

type Indexed = { id: string; recordId: string };

async function indexed(
  index: BlindIndex,
  who: Findable,
  kind: "order" | "ticket" = "order",
): Promise<Indexed> {
  const { recordId, subject: id } = await contact();
  await index.write([{ subject: { kind, id }, recordId, person: who }]);
  return { id, recordId };
}

async function contact() {
  const record = recordFor({ dataClass: "contact", kind: "contact" });
  await held.vault.seal(record);
  return record;
}

const rowsOf = async (recordIds: readonly string[]) =>
  (await held.pool.query("select from blind_index where record_id = any($1)", [recordIds])).rowCount;

describe("finding", () => {
  it("finds orders and tickets by email address, surname and postcode, across months", async () => {
    const who = person({ name: "Ms Enid Cadwaladr", postcode: "LL57 2DG" });
    const [autumn, winter] = [indexOn("2026-10-05"), indexOn("2026-11-05")];
    const order = await indexed(autumn, who);
    const ticket = await indexed(winter, who, "ticket");
    const both = [
      { kind: "ticket", id: ticket.id },
      { kind: "order", id: order.id },
    ];
    for (const [kind, typed] of [
      ["email", ` ${who.email.toUpperCase()} `],
      ["surname", "cadwaladr"],
      ["postcode", "ll572dg"],
    ] as const) {
      expect(await winter.find(kind, typed, 10)).toEqual({ subjects: both, more: false });
    }
    expect(await winter.find("surname", "Cadwaladr", 1)).toEqual({ subjects: both.slice(0, 1), more: true });
    expect(await winter.find("surname", "LL57 2DG", 10)).toEqual({ subjects: [], more: false });
    expect(await winter.find("email", " ", 10)).toEqual({ subjects: [], more: false });
  });

  it("keeps the newest of more than are asked for, whatever their ids and kinds", async () => {
    const who = person({ name: "Mr Gwilym Penhallurick" });
    const index = indexOn("2026-11-05");
    const known: Indexed[] = [];
    for (const kind of ["order", "ticket", "order", "ticket", "order", "order"] as const) {
      known.unshift(await indexed(index, who, kind));
    }
    const newest = known.slice(0, 3).map(({ id }) => id);
    const ids = ({ subjects }: Awaited<ReturnType<BlindIndex["find"]>>) => subjects.map(({ id }) => id);
    expect(ids(await index.find("surname", "Penhallurick", 3))).toEqual(newest);
    const customerId = (await index.customerOf(who.email)) ?? "";
    expect(ids(await index.subjectsOf(customerId, 3))).toEqual(newest);
  });

  it("lists contact records that are not indexed yet, and indexes each once", async () => {
    const index = indexOn("2026-11-05");
    const { recordId, subject } = await contact();
    expect(await index.unindexed([subject])).toEqual([{ subjectId: subject, recordId }]);
    const entry = { subject: { kind: "order", id: subject }, recordId, person: person() } as const;
    await Promise.all([index.write([entry]), index.write([entry]), index.write([entry])]);
    expect(await index.unindexed([subject])).toEqual([]);
    await indexOn("2026-12-05").write([entry]);
    expect(await rowsOf([recordId])).toBe(4);
  });

  it("creates one key a month, however many processes start it at once", async () => {
    const who = person({ name: "Ms Nest Gwynedd" });
    await Promise.all(Array.from({ length: 6 }, () => indexed(indexOn("2022-01-05"), who)));
    const made = await held.pool.query("select from index_keys where month = '2022-01-01'");
    expect(made.rowCount).toBe(1);
    expect((await indexOn("2022-01-05").find("surname", "Gwynedd", 9)).subjects).toHaveLength(6);
  });

  it("refuses a key other than the one created", async () => {
    const index = indexOn("2025-01-05");
    await indexed(index, person());
    const forge = (month: string) =>
      held.pool.query("update index_keys set key_slot = (key_slot + 1) % 1024 where month = $1", [month]);
    await forge("2025-01-01");
    await expect(index.find("surname", "Rhys", 1)).rejects.toThrow(RecordUnreadable);
    await held.pool.query("update index_keys set key_slot = (key_slot + 1023) % 1024 where month = $1", [
      "2025-01-01",
    ]);
    expect((await index.find("surname", "Rhys", 1)).subjects).toHaveLength(1);
  });
});

describe("customers", () => {
  it("have one id per email address, for as long as one record remains", async () => {
    const who = person();
    const index = indexOn("2026-11-05");
    const first = await indexed(indexOn("2026-10-05"), who);
    const customerId = await index.customerOf(who.email);
    const second = await indexed(index, { ...who, name: "S. Rhys" }, "ticket");
    expect(await index.customerOf(who.email.toUpperCase())).toBe(customerId);
    const { subjects } = await index.subjectsOf(customerId ?? "", 10);
    expect(new Set(subjects.map(({ id }) => id))).toEqual(new Set([first.id, second.id]));

    await held.vault.destroy([first.recordId]);
    expect(await index.customerOf(who.email)).toBe(customerId);
    expect((await index.subjectsOf(customerId ?? "", 10)).subjects).toEqual([
      { kind: "ticket", id: second.id },
    ]);
    await held.vault.destroy([second.recordId]);
    expect(await index.customerOf(who.email)).toBeUndefined();
    expect((await index.subjectsOf(customerId ?? "", 10)).subjects).toEqual([]);
    expect(await index.customerOf("nobody@mail.example")).toBeUndefined();
  });

  it("have one id each, whatever records are written together, and in whatever order", async () => {
    const index = indexOn("2026-11-05");
    const people = Array.from({ length: 6 }, () => person());
    const entriesOf = (order: readonly Findable[]) =>
      Promise.all(
        order.map(async (who) => {
          const { recordId, subject } = await contact();
          return { subject: { kind: "order", id: subject }, recordId, person: who } as const;
        }),
      );
    const batches = await Promise.all(
      [people, people.toReversed(), [...people, ...people], people.toReversed()].map(entriesOf),
    );
    await Promise.all(batches.map((entries) => index.write(entries)));
    const ids = await Promise.all(people.map(({ email }) => index.customerOf(email)));
    expect(new Set(ids).size).toBe(6);
    for (const [nth, who] of people.entries()) {
      const theirs = batches.flat().filter((entry) => entry.person === who);
      const { subjects } = await index.subjectsOf(ids[nth] ?? "", 20);
      expect(new Set(subjects.map(({ id }) => id))).toEqual(new Set(theirs.map(({ subject }) => subject.id)));
    }
  });

  it("have one id even if their first two records arrive at once", async () => {
    const who = person();
    const index = indexOn("2026-11-05");
    await Promise.all(Array.from({ length: 8 }, () => indexed(index, who)));
    const customerId = await index.customerOf(who.email);
    expect((await index.subjectsOf(customerId ?? "", 20)).subjects).toHaveLength(8);
  });
});

describe("erasure", () => {
  it("removes a person from the index in the vault's own step, however often repeated", async () => {
    const who = person({ name: "Mr Iorwerth Peate" });
    const index = indexOn("2026-11-05");
    const [gone, kept] = [await indexed(index, who), await indexed(index, { ...who, email: "k@x.example" })];
    const receipt = await held.vault.destroy([gone.recordId]);
    expect(await rowsOf([gone.recordId])).toBe(0);
    expect((await index.find("surname", "Peate", 9)).subjects).toEqual([{ kind: "order", id: kept.id }]);
    expect(await held.vault.destroy([gone.recordId])).toEqual(receipt);
  });

  it("does not index a record that was erased meanwhile, or is being erased", async () => {
    const index = indexOn("2026-11-05");
    const records = await Promise.all(Array.from({ length: 12 }, contact));
    await Promise.all(
      records.flatMap(({ recordId, subject }) => [
        index.write([{ subject: { kind: "order", id: subject }, recordId, person: person() }]),
        held.vault.destroy([recordId]),
      ]),
    );
    expect(await rowsOf(records.map(({ recordId }) => recordId))).toBe(0);
  });

  it("erases a month's key once the month is over and its last record gone, and no sooner", async () => {
    const inMarch = indexOn("2024-03-15");
    const { recordId } = await indexed(inMarch, person());
    const [{ rows }, february] = [
      await held.pool.query("select key_segment, key_slot from index_keys where month = '2024-03-01'"),
      await indexed(indexOn("2024-02-15"), person()),
    ];
    const slot = { segment: rows[0].key_segment, slot: rows[0].key_slot };
    expect(await closeMonths(partsOn("2024-05-05"))).toBe(0);
    await held.vault.destroy([recordId]);
    // Kept in the current month, and for a day after it: a person may be about to be indexed.
    expect(await closeMonths(partsOn("2024-03-31"))).toBe(0);
    expect(await closeMonths(partsOn("2024-04-01"))).toBe(0);
    expect(await closeMonths(partsOn("2024-04-03"))).toBe(1);
    expect((await held.keyRing.probe(slot)).map((key) => key.every((byte) => byte === 0))).toEqual([
      true,
      true,
    ]);
    expect(await closeMonths(partsOn("2024-04-03"))).toBe(0);
    expect(await rowsOf([february.recordId])).toBe(4);
    // A late clock starts the month again.
    await indexed(inMarch, person());
  });

  it("removes rows that a restored backup brings back for a month without a key, and indexes them again", async () => {
    const index = indexOn("2023-06-15");
    const { id, recordId } = await indexed(index, person({ name: "Mx Twm Tegid" }));
    const { rows } = await held.pool.query(
      "select key_segment, key_slot from index_keys where month = '2023-06-01'",
    );
    await held.keyRing.zero([{ segment: rows[0].key_segment, slot: rows[0].key_slot }]);
    expect((await index.find("surname", "Tegid", 9)).subjects).toEqual([]);
    await clearKeylessMonths(partsOn("2023-06-16"));
    expect(await index.unindexed([id])).toEqual([{ subjectId: id, recordId }]);
    await index.write([
      { subject: { kind: "order", id }, recordId, person: person({ name: "Mx Twm Tegid" }) },
    ]);
    expect((await index.find("surname", "Tegid", 9)).subjects).toEqual([{ kind: "order", id }]);
  });
});
