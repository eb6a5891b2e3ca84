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

type WrittenTable = Pick<Table<never>, "name" | "key" | "columns" | "dictionary" | "fillfactor">;

/** COPY pays off from here: below, preparing it costs more than it saves. */
const leastRowsToCopy = 200;

/** Reads and writes the rows of one table. */
export class TableWriter<State> {
  readonly #table: string;
  readonly #types: ReadonlyMap<string, ColumnType | "bytea">;
  readonly #columns: string;
  readonly #upsert: string;
  readonly #update: string;
  readonly #packing: Packing<State>;
  readonly #fillfactor: number;

  constructor(schema: string, table: WrittenTable) {
    const { name, key = "text", columns, dictionary, fillfactor = 100 } = table;
    this.#fillfactor = fillfactor;
    this.#table = `${schema}.${name}`;
    this.#packing = packingOf(table);
    this.#types = new Map<string, ColumnType | "bytea">([
      ["key", key],
      ["revision", "integer"],
      ["folded", dictionary === undefined ? "jsonb" : "bytea"],
      ...Object.entries(columns),
    ]);
    const names = [...this.#types.keys()];
    this.#columns = names.join(", ");
    const given = `json_populate_recordset(null::${this.#table}, $1::json)`;
    const changesFrom = (row: string) =>
      names
        .filter((column) => column !== "key")
        .map((column) => `${column} = ${row}.${column}`)
        .join(", ");
    this.#upsert = `insert into ${this.#table} (${this.#columns}) select ${this.#columns} from ${given}
      on conflict (key) do update set ${changesFrom("excluded")}`;
    // The limit tells the planner how many rows there are: without it, it would read the whole of a small table.
    this.#update = `update ${this.#table} as kept set ${changesFrom("given")}
      from (select * from ${given} limit $2) as given where kept.key = given.key`;
  }

  async create(client: Client): Promise<void> {
    const columns = [...this.#types].map(([name, type]) => `${name} ${type}`);
    await client.query(
      `create table if not exists ${this.#table} (${columns.join(", ")}, primary key (key))
       with (fillfactor = ${this.#fillfactor})`,
    );
  }

  async read(client: Client | Pool, keys: readonly string[]): Promise<FoldedRow<State>[]> {
    const { rows } = await client.query<StoredRow<State> & { key: string; revision: number }>({
      name: `${this.#table}-read`,
      text: `select ${["revision", ...this.#packing.columns].join(", ")} from ${this.#table} where key = any($1)`,
      values: [keys],
    });
    return rows.map((row) => ({
      key: row.key,
      revision: row.revision,
      folded: this.#packing.unpack(row),
    }));
  }

  async remove(client: Client, keys: readonly string[]): Promise<void> {
    await client.query(`delete from ${this.#table} where key = any($1)`, [keys]);
  }

  /**
   * `fresh` rows are not in the table yet, `changed` ones are; there is no other writer. An upsert would do for both,
   * but logs a lock on each row that it changes. Prepared, they take Postgres a quarter less time.
   * @throws when a changed row is gone
   */
  async write(
    client: Client,
    fresh: readonly WrittenRow<State>[],
    changed: readonly WrittenRow<State>[],
  ): Promise<void> {
    if (fresh.length >= leastRowsToCopy) await this.#copy(client, fresh);
    else if (fresh.length > 0)
      await client.query({ name: `${this.#table}-insert`, text: this.#upsert, values: [this.#json(fresh)] });
    if (changed.length === 0) return;
    const { rowCount } = await client.query({
      name: `${this.#table}-update`,
      text: this.#update,
      values: [this.#json(changed), changed.length],
    });
    if (rowCount !== changed.length)
      throw new Error(`Of ${changed.length} rows in ${this.#table}, ${rowCount} were there to be changed.`);
  }

  #json(rows: readonly WrittenRow<State>[]): string {
    return JSON.stringify(rows.map((row) => this.#withPacked(row)));
  }

  #withPacked(row: WrittenRow<State>): ColumnValues {
    return { ...row, folded: this.#packing.pack(row) };
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
function copyText(value: unknown, type: ColumnType | "bytea"): string {
  if (value === null || value === undefined) return "\\N";
  const text = type === "jsonb" ? JSON.stringify(value) : type === "uuid[]" ? `{${value}}` : String(value);
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

/**
 * A third of the time that zlib's defaults take, for the same size: values have 1 to 4 KB. Chunks below 4 KB come from
 * Node's pool of buffers, which saves a quarter of what remains.
 */
const settings = { windowBits: 13, memLevel: 6, level: 3, chunkSize: 2_048 } as const;

type StoredRow<State> = ColumnValues & { readonly folded: State | Buffer };

type Packing<State> = {
  /** Columns from which a state is read. */
  readonly columns: readonly string[];
  /** The state of a row as it is stored; deflated, as Postgres reads bytes. */
  pack(row: WrittenRow<State>): unknown;
  /** The state of a stored row. @throws for one packed with another dictionary */
  unpack(row: StoredRow<State>): State;
};

/**
 * Deflates states against what they have in common and the other texts of their row, for rows that are written again
 * and again: the state of an order is 2 to 4 KB of jsonb, which each change stores out of line anew, and 170 to 320
 * bytes packed, within its row. Without a dictionary, states stay as they are.
 */
export function packingOf<State>({ columns, dictionary }: Omit<WrittenTable, "name">): Packing<State> {
  const common = Buffer.from(JSON.stringify(dictionary ?? null));
  const isText = (name: string) => columns[name] === "text" || columns[name] === "uuid";
  const texts = dictionary === undefined ? [] : ["key", ...Object.keys(columns).filter(isText)];
  const sharedBy = (row: ColumnValues) => ({
    ...settings,
    dictionary: Buffer.concat([common, Buffer.from(texts.map((name) => row[name] ?? "").join(""))]),
  });
  return {
    columns: [...new Set(["key", "folded", ...texts])],
    pack: (row) =>
      dictionary === undefined
        ? row.folded
        : `\\x${deflateSync(JSON.stringify(row.folded), sharedBy(row)).toString("hex")}`,
    unpack: (row) =>
      Buffer.isBuffer(row.folded)
        ? JSON.parse(inflateSync(row.folded, sharedBy(row)).toString())
        : row.folded,
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
