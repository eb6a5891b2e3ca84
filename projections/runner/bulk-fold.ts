import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import { inDerivedTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { type FoldedRow, foldRows } from "./fold-rows.ts";
import type { Projection } from "./projection.ts";
import { TableWriter } from "./table-writer.ts";

/** `isStored`: the table has an earlier state of it. */
type KeptRow<State> = FoldedRow<State> & { readonly isStored: boolean };

/** Rows in memory at most. */
export const usualMostKept = 1_000;

/**
 * Fills an empty table from the log. Rows stay in memory while their events come, so that most are packed and written
 * once, not with each batch. Beyond `mostKept`, those that changed least recently are written, and read again when
 * another event comes.
 */
export class BulkFold<State> {
  readonly #projection: Projection<State>;
  readonly #pool: Pool;
  readonly #writer: TableWriter<State>;
  readonly #mostKept: number;
  /** By key, the least recently changed first. */
  readonly #kept = new Map<string, KeptRow<State>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(projection: Projection<State>, schema: string, pool: Pool, mostKept: number) {
    this.#projection = projection;
    this.#pool = pool;
    this.#writer = new TableWriter<State>(schema, projection.table);
    this.#mostKept = mostKept;
  }

  /** Folds events into the rows in memory. @throws StreamUnreadable, and nothing is folded */
  async fold(events: readonly StoredEvent[]): Promise<void> {
    await this.#readStored(events);
    for (const row of foldRows(this.#projection, this.#kept, events)) {
      const isStored = this.#kept.get(row.key)?.isStored ?? false;
      this.#kept.delete(row.key);
      this.#kept.set(row.key, { ...row, isStored });
    }
  }

  /** Writes some rows if there are too many, while the next events are folded. @throws what the write before met */
  async makeRoom(): Promise<void> {
    if (this.#kept.size <= this.#mostKept) return;
    await this.#writing;
    this.#writing = this.#write([...this.#kept.values()].slice(0, this.#kept.size - this.#mostKept / 2));
    // Its error is thrown by the next write.
    this.#writing.catch(() => undefined);
  }

  /** Writes all rows. */
  async writeAll(): Promise<void> {
    await this.#writing;
    await this.#write([...this.#kept.values()]);
  }

  /** Rows written before that some events change. */
  async #readStored(events: readonly StoredEvent[]): Promise<void> {
    const { isRegister, keyOf } = this.#projection;
    if (isRegister) return;
    const begun = new Set<string>();
    const keys = new Set<string>();
    for (const event of events) {
      if (event.revision === 0) begun.add(event.stream);
      if (begun.has(event.stream)) continue;
      const key = keyOf(event.stream, event);
      if (key !== undefined && !this.#kept.has(key)) keys.add(key);
    }
    if (keys.size === 0) return;
    // A write that failed says nothing about these events, and fails again where rows are written.
    await this.#writing.catch(() => undefined);
    const stored = await inDerivedTransaction(this.#pool, (client) => this.#writer.read(client, [...keys]));
    for (const row of stored) this.#kept.set(row.key, { ...row, isStored: true });
  }

  #write(rows: readonly KeptRow<State>[]): Promise<void> {
    for (const { key } of rows) this.#kept.delete(key);
    const { table } = this.#projection;
    const written = ({ key, revision, folded }: KeptRow<State>) => ({
      ...whileReading(key, () => table.row(folded)),
      key,
      revision,
      folded,
    });
    return inDerivedTransaction(this.#pool, async (client) => {
      await client.query("set local statement_timeout = 0");
      await this.#writer.write(
        client,
        rows.filter(({ isStored }) => !isStored).map(written),
        rows.filter(({ isStored }) => isStored).map(written),
      );
    });
  }
}
