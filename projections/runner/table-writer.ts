import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { deflateSync, inflateSync } from "node:zlib";
import { from as copyFrom } from "pg-copy-streams";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { StreamUnreadable, whileReading } from "../../infra/event-store/stream-unreadable.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import type { ColumnType, Projection, Table } from "./projection.ts";

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

  async read(client: Client | Pool, keys: readonly string[]): Promise<FoldedRow<State>[]> {
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
    fresh: readonly WrittenRow<State>[],
    changed: readonly WrittenRow<State>[],
  ): Promise<void> {
    const copied = fresh.length >= leastRowsToCopy ? fresh : [];
    const upserted = copied.length > 0 ? changed : [...fresh, ...changed];
    if (copied.length > 0) await this.#copy(client, copied);
    if (upserted.length > 0)
      await client.query(this.#upsert, [JSON.stringify(upserted.map((row) => this.#withPacked(row)))]);
  }

  #withPacked(row: WrittenRow<State>): ColumnValues {
    return {
      ...row,
      ...Object.fromEntries(this.#packed.map((name) => [name, this.#packing.pack(row[name])])),
    };
  }

  /** Rows are packed while the database takes those before them. */
  async #copy(client: Client, rows: readonly WrittenRow<State>[]): Promise<void> {
    const names = [...this.#types];
    const line = (row: WrittenRow<State>) => {
      const packed = this.#withPacked(row);
      return `${names.map(([name, type]) => copyText(packed[name], type)).join("\t")}\n`;
    };
    const target = client.query(copyFrom(`copy ${this.#table} (${this.#columns}) from stdin`));
    await pipeline(Readable.from(inChunks(rows, line)), target);
  }
}

/** A write per row costs more than the row. */
const rowsPerChunk = 100;

function* inChunks<Row>(rows: readonly Row[], line: (row: Row) => string): Generator<string> {
  for (let start = 0; start < rows.length; start += rowsPerChunk)
    yield rows
      .slice(start, start + rowsPerChunk)
      .map(line)
      .join("");
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A value in COPY's text format. */
function copyText(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return "\\N";
  const text = type === "jsonb" ? JSON.stringify(value) : String(value);
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

/**
 * A third of the time that zlib's defaults take, for the same size: values have 1 to 4 KB. Chunks below 4 KB come from
 * Node's pool of buffers, which saves a quarter of what remains.
 */
const settings = { windowBits: 13, memLevel: 6, level: 3, chunkSize: 2_048 } as const;

type Packing = {
  /** The deflated value, as Postgres reads bytes. */
  pack(value: unknown): string;
  /** The value read from its column; one that is not packed as it is. @throws for another dictionary's */
  unpack<Value>(stored: Value | Buffer): Value;
};

/**
 * Deflates values against what they have in common, for rows that are written again and again: the state of an order is
 * 2 to 4 KB of jsonb, which each change stores out of line anew, and 300 to 600 bytes packed, within its row.
 */
export function packingBy(dictionary: unknown): Packing {
  const shared = { ...settings, dictionary: Buffer.from(JSON.stringify(dictionary ?? null)) };
  return {
    pack: (value) => `\\x${deflateSync(JSON.stringify(value), shared).toString("hex")}`,
    unpack: (stored) =>
      Buffer.isBuffer(stored) ? JSON.parse(inflateSync(stored, shared).toString()) : stored,
  };
}

/** The part of a row kept between folds. `revision` is that of the last folded event. */
export type FoldedRow<State> = { readonly key: string; readonly revision: number; readonly folded: State };

/** An event of the row's stream is missing: continuing would make the row permanently wrong. */
class RevisionGap extends StreamUnreadable {
  override name = "RevisionGap";
  constructor(stream: string, expected: number, actual: number) {
    super(
      stream,
      "chain-broken",
      `Stream ${stream} was folded up to revision ${expected - 1}, and the next event is ${actual}.`,
    );
  }
}

/** The keys of the rows touched by some events, each once. */
export function keysOf<State>(projection: Projection<State>, events: readonly StoredEvent[]): string[] {
  const keys = events.map((event) => projection.keyOf(event.stream, event));
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/**
 * Rows in, changed rows out. An event already in a row is skipped, so repeated delivery changes nothing.
 * @throws RevisionGap, and StreamUnreadable for any error of the projection's fold
 */
export function foldRows<State>(
  projection: Projection<State>,
  current: ReadonlyMap<string, FoldedRow<State>>,
  events: readonly StoredEvent[],
): FoldedRow<State>[] {
  const changed = new Map<string, FoldedRow<State>>();
  for (const event of events) {
    const key = projection.keyOf(event.stream, event);
    if (key === undefined) continue;
    const row = changed.get(key) ?? current.get(key);
    const fold = (state: State | undefined) =>
      whileReading(event.stream, () => projection.fold(state, event));
    if (projection.isRegister) {
      if (!row) changed.set(key, { key, revision: event.revision, folded: fold(undefined) });
      continue;
    }
    const expected = row ? row.revision + 1 : 0;
    if (event.revision < expected) continue;
    if (event.revision > expected) throw new RevisionGap(event.stream, expected, event.revision);
    changed.set(key, { key, revision: event.revision, folded: fold(row?.folded) });
  }
  return [...changed.values()];
}
