import pg from "pg";
import { endClient } from "../../postgres/pool.ts";
import { faultOf } from "../../postgres/postgres-errors.ts";
import {
  type Appended,
  CompanionExists,
  OutcomeUnknown,
  StoreBusy,
  WrongExpectedRevision,
} from "../event-store.ts";
import { positionOf } from "../position.ts";
import type { AppendChannel } from "./append-batcher.ts";
import type { EncodedAppend } from "./append-request.ts";
import { int4Array, jsonArray, textArray, uuidArray } from "./binary-arrays.ts";
import { arraysOf, arrayValues, type CompanionTable, namesOf } from "./companions.ts";

// The server gives up first, with an explicit answer; the client's timeout covers a silent server.
const defaultTimeoutsMs: AppendTimeouts = {
  connect: 2000,
  lock: 3000,
  statement: 4000,
  answer: 5000,
  transaction: 8000,
};

/**
 * In milliseconds: to connect, to wait for other processes' appends, to append, to receive the answer, to hold a
 * transaction open.
 */
type AppendTimeouts = Record<"connect" | "lock" | "statement" | "answer" | "transaction", number>;

type ConnectionOptions = {
  /** The table whose rows appends may take along. */
  readonly companions?: CompanionTable | undefined;
  readonly timeoutsMs?: Partial<AppendTimeouts>;
};

type Answer = { position_before: string; refused: number[] | null; refused_at: number[] | null };

// Acknowledged events must be on disk, whatever the server's default; a stronger default (a standby's answer) is kept.
// Servers before version 17 have no transaction_timeout, and would refuse the connection if it were set at the start.
const raiseSettings = `select set_config(name, case name when 'synchronous_commit' then 'on' else $1 end, false)
  from pg_settings
  where name = 'transaction_timeout' or (name = 'synchronous_commit' and setting = 'off')`;

const append = {
  name: "append-events",
  text: "select * from append_events($1, $2, $3, $4, $5, $6, $7, $8)",
};

/** With rows of another table, which refused appends leave out. */
function appendWith(table: CompanionTable): typeof append {
  return {
    name: "append-events-with-companions",
    text: `with answer as materialized (${append.text}),
           stored as (insert into ${table.name} (${namesOf(table)})
                     select ${namesOf(table, "given.")}
                     from answer, unnest($9::integer[], ${arraysOf(table, 10)}) as given (request, ${namesOf(table)})
                     where given.request <> all (coalesce(answer.refused, '{}')))
           select * from answer`,
  };
}

/** The batcher's connection to Postgres, opened on first use and reopened when lost. */
export class AppendConnection implements AppendChannel {
  readonly #connectionString: string;
  readonly #companions: CompanionTable | undefined;
  readonly #appendWithCompanions: typeof append | undefined;
  readonly #timeoutsMs: AppendTimeouts;
  #client: pg.Client | undefined;
  #processId: number | null = null;

  constructor(connectionString: string, options: ConnectionOptions = {}) {
    const { companions, timeoutsMs } = options;
    this.#connectionString = connectionString;
    this.#companions = companions;
    this.#appendWithCompanions = companions && appendWith(companions);
    this.#timeoutsMs = { ...defaultTimeoutsMs, ...timeoutsMs };
  }

  /** Of the server's process behind the connection; null while there is none. */
  get processId(): number | null {
    return this.#client ? this.#processId : null;
  }

  async connect(): Promise<void> {
    if (this.#client) return;
    const timeoutsMs = this.#timeoutsMs;
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: "certificates append",
      connectionTimeoutMillis: timeoutsMs.connect,
      lock_timeout: timeoutsMs.lock,
      statement_timeout: timeoutsMs.statement,
      query_timeout: timeoutsMs.answer,
      idle_in_transaction_session_timeout: timeoutsMs.transaction,
      keepAlive: true,
    });
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
      await client.query(raiseSettings, [`${timeoutsMs.transaction}`]);
      const { rows } = await client.query<{ id: number }>("select pg_backend_pid() as id");
      this.#processId = rows[0]?.id ?? null;
    } catch (error) {
      void endClient(client);
      throw error;
    }
    this.#client = client;
  }

  async send(batch: readonly EncodedAppend[]): Promise<(Appended | WrongExpectedRevision)[]> {
    const client = this.#client;
    if (!client) throw new StoreBusy("The connection was lost before anything was sent.");
    const statement = this.#statement(batch);
    try {
      const { rows } = await client.query<Answer>(statement);
      const [answer] = rows;
      if (!answer) throw new OutcomeUnknown("The store answered nothing.");
      return outcomes(batch, answer);
    } catch (error) {
      throw this.#named(error, client);
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client) await endClient(client);
  }

  #statement(batch: readonly EncodedAppend[]) {
    const rows = batch.flatMap(({ companions }) => companions);
    const values = parameters(batch);
    if (rows.length === 0) return { ...append, values };
    const [table, statement] = [this.#companions, this.#appendWithCompanions];
    if (!table || !statement) throw new TypeError("This store takes no companion rows.");
    const requests = batch.flatMap(({ companions }, index) => companions.map(() => index + 1));
    return { ...statement, values: [...values, int4Array(requests), ...arrayValues(table, rows)] };
  }

  #named(error: unknown, client: pg.Client): unknown {
    const fault = faultOf(error);
    if (fault === "refused") return isExisting(error, this.#companions) ? existing(error) : error;
    if (fault === "busy") return new StoreBusy("The database had no room for the append.", { cause: error });
    // Any later message on this connection would belong to another query.
    this.#client = undefined;
    void endClient(client);
    return new OutcomeUnknown("The answer to an append was lost.", { cause: error });
  }
}

/** Where a batch had several appends, the batcher sends each by itself. */
const existing = (cause: unknown) => new CompanionExists("A companion row exists already.", { cause });

const isExisting = (error: unknown, companions: CompanionTable | undefined): boolean =>
  error instanceof pg.DatabaseError && error.code === "23505" && error.table === companions?.name;

function parameters(batch: readonly EncodedAppend[]): Buffer[] {
  const request: number[] = [];
  const revision: number[] = [];
  for (const [index, { expected, events }] of batch.entries()) {
    for (let offset = 1; offset <= events.length; offset++) {
      request.push(index + 1);
      revision.push(expected + offset);
    }
  }
  const events = batch.flatMap((append) => append.events);
  return [
    textArray(batch.map(({ stream }) => stream)),
    int4Array(batch.map(({ expected }) => expected)),
    int4Array(request),
    int4Array(revision),
    uuidArray(events.map(({ id }) => id)),
    textArray(events.map(({ type }) => type)),
    jsonArray(events.map(({ data }) => data)),
    jsonArray(events.map(({ metadata }) => metadata)),
  ];
}

/** The function numbers accepted events in order, so their positions follow from the newest one before. */
function outcomes(batch: readonly EncodedAppend[], answer: Answer): (Appended | WrongExpectedRevision)[] {
  const standsAt = new Map(
    answer.refused?.map((number, index) => [number - 1, answer.refused_at?.[index] ?? -1]),
  );
  let count = Number(answer.position_before);
  return batch.map(({ stream, expected, events }, index) => {
    const actual = standsAt.get(index);
    if (actual !== undefined)
      return new WrongExpectedRevision(
        stream,
        expected < 0 ? "none" : expected,
        actual < 0 ? "none" : actual,
      );
    count += events.length;
    return { revision: expected + events.length, position: positionOf(count) };
  });
}
