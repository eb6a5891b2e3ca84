import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import type { Projection } from "./projection.ts";
import { type FoldedRow, foldRows, type TableWriter } from "./table-writer.ts";

/** Rows of any projection, with its state type hidden. */
export type FoldedInMemory = {
  readonly size: number;
  /** All or nothing: after an error every row is as before. @throws RevisionGap, StreamUnreadable */
  fold(client: Client | Pool, events: readonly StoredEvent[]): Promise<void>;
  /** Writes the rows that changed longest ago, and forgets them, until `left` remain. */
  write(client: Client, left?: number): Promise<void>;
};

type RowInMemory<State> = FoldedRow<State> & {
  readonly stream: string;
  readonly isStored: boolean;
  readonly isChanged: boolean;
};

/**
 * Rows between the log and their table. A follower writes them after each batch, in its transaction; a rebuild keeps
 * them over many batches, because most rows are then packed and written once.
 */
export class RowsInMemory<State> implements FoldedInMemory {
  readonly #projection: Projection<State>;
  readonly #writer: TableWriter<State>;
  #isTableEmpty: boolean;
  /** Those that changed last are last. */
  readonly #rows = new Map<string, RowInMemory<State>>();

  constructor(projection: Projection<State>, writer: TableWriter<State>, { isTableEmpty = false } = {}) {
    this.#projection = projection;
    this.#writer = writer;
    this.#isTableEmpty = isTableEmpty;
  }

  get size(): number {
    return this.#rows.size;
  }

  async fold(client: Client | Pool, events: readonly StoredEvent[]): Promise<void> {
    const streams = new Map<string, string>();
    for (const event of events) {
      const key = this.#projection.keyOf(event.stream, event);
      if (key !== undefined) streams.set(key, event.stream);
    }
    await this.#readStored(client, streams);
    for (const row of foldRows(this.#projection, this.#rows, events)) {
      const { key } = row;
      const before = this.#rows.get(key);
      this.#rows.delete(key);
      const stream = streams.get(key) ?? key;
      this.#rows.set(key, { ...row, stream, isStored: before?.isStored ?? false, isChanged: true });
    }
  }

  async write(client: Client, left = 0): Promise<void> {
    const { table } = this.#projection;
    const oldest = [...this.#rows.values()].slice(0, Math.max(0, this.#rows.size - left));
    const written = (isStored: boolean) =>
      oldest
        .filter((row) => row.isChanged && row.isStored === isStored)
        .map(({ key, stream, revision, folded }) => ({
          ...whileReading(stream, () => table.row(folded)),
          ...{ key, revision, folded },
        }));
    await this.#writer.write(client, written(false), written(true));
    for (const { key } of oldest) this.#rows.delete(key);
    this.#isTableEmpty &&= oldest.length === 0;
  }

  async #readStored(client: Client | Pool, streams: ReadonlyMap<string, string>): Promise<void> {
    if (this.#isTableEmpty) return;
    const missing = [...streams.keys()].filter((key) => !this.#rows.has(key));
    if (missing.length === 0) return;
    for (const row of await this.#writer.read(client, missing))
      this.#rows.set(row.key, {
        ...{ ...row, stream: streams.get(row.key) ?? row.key },
        ...{ isStored: true, isChanged: false },
      });
  }
}
