import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { packingOf, TableWriter } from "./table-writer.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  await pool.query("create schema written");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const columns = { note: "text", many: "integer", at: "timestamptz", yes: "boolean", more: "jsonb" } as const;
/** Everything that a text format could trip over. */
const awkward = [
  "tab\there",
  "line\nbreak",
  "carriage\rreturn",
  "back\\slash",
  "\\N",
  "\\.",
  "",
  "'\"",
  "£ × ŷ ł 💷",
];

const rowsFrom = (many: number) =>
  Array.from({ length: many }, (_, n) => {
    const note = awkward[n % awkward.length];
    return {
      key: `key-${String(n).padStart(4, "0")} ${note}`,
      revision: n,
      folded: { note, list: [n, null, note] },
      note: n % 7 === 0 ? null : note,
      many: n,
      at: new Date(1_800_000_000_000 + n).toISOString(),
      yes: n % 2 === 0,
      more: n % 5 === 0 ? null : [note, { note }],
    };
  });

async function writtenBy(table: string, batches: readonly ReturnType<typeof rowsFrom>[]): Promise<string[]> {
  const writer = new TableWriter<unknown>("written", { name: table, columns });
  await inTransaction(pool, (client) => writer.create(client));
  for (const batch of batches) await inTransaction(pool, (client) => writer.write(client, batch, []));
  const { rows } = await pool.query<{ line: string }>(
    `select row_to_json(it)::text as line from written.${table} it order by key`,
  );
  return rows.map((row) => row.line);
}

it("writes the same rows by COPY as one by one", async () => {
  const rows = rowsFrom(2_500);
  const copied = await writtenBy("copied", [rows]);
  const upserted = await writtenBy(
    "upserted",
    rows.slice(0, 2_500).map((row) => [row]),
  );
  expect(copied).toHaveLength(2_500);
  expect(copied).toEqual(upserted);
});

it("replaces a changed row, with every column, and no others", async () => {
  const writer = new TableWriter<unknown>("written", { name: "changed", columns });
  const [first, second] = rowsFrom(2);
  if (!first) throw new Error("There are rows.");
  const changed = { ...first, revision: 9, note: null, more: { now: "other" } };
  const left = await inTransaction(pool, async (client) => {
    await writer.create(client);
    await writer.write(client, rowsFrom(2), []);
    await writer.write(client, [], [changed]);
    const { rows } = await client.query("select key, revision, note, more from written.changed order by key");
    return rows;
  });
  expect(left).toEqual([
    { key: first.key, revision: 9, note: null, more: { now: "other" } },
    { key: second?.key, revision: 1, note: second?.note, more: second?.more },
  ]);
});

it("refuses to change a row that is gone", async () => {
  const writer = new TableWriter<unknown>("written", { name: "gone", columns });
  const [first, second] = rowsFrom(2);
  if (!first || !second) throw new Error("There are rows.");
  await inTransaction(pool, async (client) => {
    await writer.create(client);
    await writer.write(client, [first], []);
    await expect(writer.write(client, [], [first, second])).rejects.toThrow("Of 2 rows");
  });
});

const dictionary = { note: "back\\slash", list: [1, null] };

it.each([
  ["as jsonb", "read", undefined],
  ["deflated", "deflated", dictionary],
] as const)("reads back existing rows with their folded state, %s", async (_, name, shared) => {
  const writer = new TableWriter<unknown>("written", { name, columns, dictionary: shared });
  const rows = rowsFrom(3);
  const found = await inTransaction(pool, async (client) => {
    await writer.create(client);
    await writer.write(client, rows, []);
    return writer.read(client, [String(rows[1]?.key), "none such"]);
  });
  expect(found).toEqual([{ key: rows[1]?.key, revision: 1, folded: rows[1]?.folded }]);
});

it("deflates a state against the other texts of its row as well", async () => {
  const texts = { number: "text", subject: "uuid", many: "integer" } as const;
  const table = { name: "texts", key: "uuid", columns: texts, dictionary } as const;
  const row = {
    ...{ key: randomUUID(), number: "M7KQ-2B9X-PT04H", subject: randomUUID(), many: 1 },
    revision: 0,
  };
  const folded = { id: row.key, number: row.number, subject: row.subject };
  const [stored, read] = await inTransaction(pool, async (client) => {
    const writer = new TableWriter<unknown>("written", table);
    await writer.create(client);
    await writer.write(client, [{ ...row, folded }], []);
    const { rows } = await client.query<{ bytes: number }>(
      "select length(folded) as bytes from written.texts",
    );
    return [rows[0]?.bytes, await writer.read(client, [row.key])];
  });
  expect(read).toEqual([{ key: row.key, revision: 0, folded }]);
  const alone = packingOf<unknown>({ columns: { many: "integer" }, dictionary });
  // Hex after two characters.
  const bytesAlone = (String(alone.pack({ folded })).length - 2) / 2;
  expect(stored).toBeLessThan(bytesAlone - 50);
});

it("refuses a state that was deflated with another dictionary", async () => {
  const table = { name: "refused", columns };
  const [row] = rowsFrom(1);
  if (!row) throw new Error("There is a row.");
  await inTransaction(pool, async (client) => {
    const writer = new TableWriter<unknown>("written", { ...table, dictionary });
    await writer.create(client);
    await writer.write(client, [row], []);
    const other = new TableWriter<unknown>("written", { ...table, dictionary: { note: "other" } });
    await expect(other.read(client, [row.key])).rejects.toThrow("Bad dictionary");
  });
});
