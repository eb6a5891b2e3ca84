import type { JsonObject } from "../../json.ts";
import type { Pool } from "../../postgres/pool.ts";
import { faultOf } from "../../postgres/postgres-errors.ts";
import { Bell } from "../bell.ts";
import {
  type Appended,
  type AppendRequest,
  beginning,
  type EventStore,
  type FollowOptions,
  type Position,
  type StoredEvent,
} from "../event-store.ts";
import { followLog } from "../follow-log.ts";
import { countUpTo, positionOf } from "../position.ts";
import { AppendBatcher, type BatcherLimits, defaultLimits, type OnBatch } from "./append-batcher.ts";
import { AppendConnection } from "./append-connection.ts";
import { AppendNotices } from "./append-notices.ts";
import type { CompanionTable } from "./companions.ts";
import { copiedEvents } from "./copied-events.ts";
import { Gathered } from "./gathered.ts";

type PostgresEventStoreOptions = {
  /** For reading. The caller ends it. */
  pool: Pool;
  /** The same database, for the store's two connections: appending and listening. */
  connectionString: string;
  /** The table whose rows appends may take along. */
  companions?: CompanionTable | undefined;
  limits?: Partial<BatcherLimits>;
  /** Called when followers wait for a lost connection. */
  onTrouble?: (error: unknown) => void;
  onBatch?: OnBatch;
};

/** The event store on Postgres: migration 0002, and one writing connection per process. */
export function createPostgresEventStore(options: PostgresEventStoreOptions): EventStore {
  return new PostgresEventStore(options);
}

/** Reading by COPY pays off from here; followers, who ask for few at a time, prepare their statement. */
const leastToCopy = 1_000;

const columns = "position, stream, revision, id, type, data, metadata, recorded_at";

type Row = {
  position: number | string;
  stream: string;
  revision: number;
  id: string;
  type: string;
  data: JsonObject;
  metadata: JsonObject;
  recorded_at: Date;
};

class PostgresEventStore implements EventStore {
  readonly #pool: Pool;
  readonly #batcher: AppendBatcher;
  readonly #notices: AppendNotices;
  readonly #bell = new Bell();
  readonly #closing = new AbortController();
  readonly #onTrouble: (error: unknown) => void;
  readonly #streams = new Gathered<AskedStream, ReadonlyMap<string, StoredEvent[]>>((asked) =>
    this.#readStreams(asked),
  );
  readonly #positions = new Gathered<Count, readonly StoredEvent[]>((asked) => this.#readPositions(asked));

  constructor(options: PostgresEventStoreOptions) {
    const { pool, connectionString, onTrouble = () => undefined } = options;
    this.#pool = pool;
    this.#onTrouble = onTrouble;
    const limits = { ...defaultLimits, ...options.limits };
    const appending = new AppendConnection(connectionString, { companions: options.companions });
    this.#batcher = new AppendBatcher(appending, limits, options.onBatch);
    this.#notices = new AppendNotices(connectionString, this.#bell, () => appending.processId, onTrouble);
  }

  async append(request: AppendRequest): Promise<Appended> {
    try {
      return await this.#batcher.append(request);
    } finally {
      // Without the way round by the database. Also when the outcome is unknown.
      this.#bell.ring();
    }
  }

  async readStream(stream: string, from = 0): Promise<StoredEvent[]> {
    const events = (await this.#streams.answerTo({ stream, from })).get(stream) ?? [];
    return events.filter(({ revision }) => revision >= from);
  }

  /** Each stream from the first revision that is asked for. */
  async #readStreams(asked: readonly AskedStream[]): Promise<ReadonlyMap<string, StoredEvent[]>> {
    const firsts = new Map<string, number>();
    for (const { stream, from } of asked) firsts.set(stream, Math.min(from, firsts.get(stream) ?? from));
    const events = await this.#read({
      name: "events-of-streams",
      // One at a time, by the index of streams, whatever the planner knows of a young log.
      text: `select events.* from unnest($1::text[], $2::integer[]) as asked (stream, first)
             cross join lateral (
               select ${columns} from events where stream = asked.stream and revision >= asked.first order by revision
             ) as events`,
      values: [[...firsts.keys()], [...firsts.values()]],
    });
    return Map.groupBy(events, ({ stream }) => stream);
  }

  async readStreamAndAt(stream: string, from: number, positions: readonly Position[]) {
    const { rows } = await this.#pool.query<Row & { is_at: boolean }>({
      name: "events-of-stream-and-at",
      text: `select ${columns}, false as is_at from events where stream = $1 and revision >= $2
             union all
             select ${columns}, true from events where position = any($3::bigint[])
             order by revision`,
      values: [stream, from, positions.map(countUpTo)],
    });
    const read = (isAt: boolean) => rows.filter(({ is_at }) => is_at === isAt).map(storedEvent);
    return { events: read(false), at: read(true) };
  }

  async readAll(after: Position, limit: number): Promise<StoredEvent[]> {
    if (limit >= leastToCopy) return copiedEvents(this.#pool, countUpTo(after), limit);
    return this.#read({
      name: "events-after",
      text: `select ${columns} from events where position > $1 order by position limit $2`,
      values: [countUpTo(after), limit],
    });
  }

  async eventAt(position: Position): Promise<StoredEvent | undefined> {
    const events = await this.#positions.answerTo(countUpTo(position));
    return events.find((event) => event.position === position);
  }

  #readPositions(positions: readonly Count[]): Promise<StoredEvent[]> {
    return this.#read({
      name: "events-at",
      text: `select ${columns} from events where position = any($1::bigint[])`,
      values: [positions],
    });
  }

  follow(options: FollowOptions): AsyncIterable<readonly StoredEvent[]> {
    this.#notices.start();
    return followLog(
      {
        read: options.overlap
          ? (after, limit) => this.#readFrom(after, limit + 1)
          : (after, limit) => this.readAll(after, limit),
        bell: this.#bell,
        passes: (error) => ["lost", "busy"].includes(faultOf(error)),
        closing: this.#closing.signal,
        onTrouble: this.#onTrouble,
      },
      options,
    );
  }

  async head(): Promise<Position> {
    const { rows } = await this.#pool.query<{ newest: number | string | null }>(
      "select max(position) as newest from events",
    );
    const newest = rows[0]?.newest ?? null;
    return newest === null ? beginning : positionOf(newest);
  }

  async logId(): Promise<string> {
    const { rows } = await this.#pool.query<{ log_id: string }>("select log_id from installation");
    const [row] = rows;
    if (!row) throw new Error("The database has no row in its table `installation`: it was not migrated.");
    return row.log_id;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#batcher.close(), this.#notices.close()]);
  }

  #readFrom(position: Position, limit: number): Promise<StoredEvent[]> {
    return this.#read({
      name: "events-from",
      text: `select ${columns} from events where position >= $1 order by position limit $2`,
      values: [countUpTo(position), limit],
    });
  }

  async #read(query: { name: string; text: string; values: unknown[] }): Promise<StoredEvent[]> {
    const { rows } = await this.#pool.query<Row>(query);
    return rows.map(storedEvent);
  }
}

type Count = ReturnType<typeof countUpTo>;
type AskedStream = { readonly stream: string; readonly from: number };

const storedEvent = ({
  position,
  stream,
  revision,
  id,
  type,
  data,
  metadata,
  recorded_at,
}: Row): StoredEvent => ({
  ...{ stream, revision, id, type, data, metadata },
  position: positionOf(position),
  recordedAt: recorded_at.toISOString(),
});
