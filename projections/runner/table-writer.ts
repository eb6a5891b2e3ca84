import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Client } from "../../infra/postgres/pool.ts";
import type { FoldedRow } from "./fold-rows.ts";
import { type Packing, packingBy } from "./packing.ts";
import type { ColumnType, Table } from "./projection.ts";

/** Column values as JSON. */
type ColumnValues = Readonly<Record<string, unknown>>;

type WrittenRow<State> = ColumnValues & { readonly folded: State };

type WrittenTable = Pick<Table<never>, "name" | "columns" | "dictionary">;

/** COPY pays off from here: below, preparing it costs more than it saves. */
const leastRowsToCopy = 200;

/** Reads and writes the rows of one table, by upsert or COPY. */
export class TableWriter<State> {
  readonly #table: string;
  readonly #types: ReadonlyMap<string, ColumnType>;
  readonly #columns: string;
  readonly #upsert: string;
  readonly #packing: Packing;
  readonly #packed: readonly string[];

  constructor(schema: string, { name, columns, dictionary }: WrittenTable) {
    this.#table = `${schema}.${name}`;
    this.#packing = packingBy(dictionary);
    this.#types = new Map<string, ColumnType>([
      ["key", "text"],
      ["revision", "integer"],
      ["folded", dictionary === undefined ? "jsonb" : "packed"],
      ...Object.entries(columns),
    ]);
    this.#packed = [...this.#types].filter(([, type]) => type === "packed").map(([name]) => name);
    const names = [...this.#types.keys()];
    this.#columns = names.join(", ");
    const changes = names
      .filter((column) => column !== "key")
      .map((column) => `${column} = excluded.${column}`);
    this.#upsert = `insert into ${this.#table} (${this.#columns})
      select ${this.#columns} from json_populate_recordset(null::${this.#table}, $1::json)
      on conflict (key) do update set ${changes.join(", ")}`;
  }

  async create(client: Client): Promise<void> {
    const columns = [...this.#types].map(([name, type]) => `${name} ${type === "packed" ? "bytea" : type}`);
    await client.query(
      `create table if not exists ${this.#table} (${columns.join(", ")}, primary key (key))`,
    );
  }

  async read(client: Client, keys: readonly string[]): Promise<FoldedRow<State>[]> {
    const { rows } = await client.query<FoldedRow<State | Buffer>>(
      `select key, revision, folded from ${this.#table} where key = any($1)`,
      [keys],
    );
    return rows.map((row) => ({ ...row, folded: this.#packing.unpack(row.folded) }));
  }

  async remove(client: Client, keys: readonly string[]): Promise<void> {
    await client.query(`delete from ${this.#table} where key = any($1)`, [keys]);
  }

  /** `fresh` rows are not in the table yet; there is no other writer. */
  async write(
    client: Client,
    freshRows: readonly WrittenRow<State>[],
    changedRows: readonly WrittenRow<State>[],
  ): Promise<void> {
    const fresh = freshRows.map((row) => this.#withPacked(row));
    const changed = changedRows.map((row) => this.#withPacked(row));
    const copied = fresh.length >= leastRowsToCopy ? fresh : [];
    const upserted = copied.length > 0 ? changed : [...fresh, ...changed];
    if (copied.length > 0) await this.#copy(client, copied);
    if (upserted.length > 0) await client.query(this.#upsert, [JSON.stringify(upserted)]);
  }

  #withPacked(row: WrittenRow<State>): ColumnValues {
    return {
      ...row,
      ...Object.fromEntries(this.#packed.map((name) => [name, this.#packing.pack(row[name])])),
    };
  }

  async #copy(client: Client, rows: readonly ColumnValues[]): Promise<void> {
    const names = [...this.#types];
    const line = (row: ColumnValues) =>
      `${names.map(([name, type]) => copyText(row[name], type)).join("\t")}\n`;
    const target = client.query(copyFrom(`copy ${this.#table} (${this.#columns}) from stdin`));
    await pipeline(Readable.from(inChunks(rows, line)), target);
  }
}

/** One chunk per thousand rows: a write per row costs more than the row. */
function* inChunks(rows: readonly ColumnValues[], line: (row: ColumnValues) => string): Generator<string> {
  for (let start = 0; start < rows.length; start += 1_000) {
    yield rows
      .slice(start, start + 1_000)
      .map(line)
      .join("");
  }
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A value in COPY's text format. */
function copyText(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return "\\N";
  const text = type === "jsonb" ? JSON.stringify(value) : String(value);
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
