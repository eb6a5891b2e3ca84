import { type Client, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import type { Log } from "../../../infra/process/log.ts";

export type TargetName = "stripe" | "gro";

export type Target = {
  /** Where to deliver; undefined until known, and then everything waits. */
  url: () => string | undefined;
  /** Headers that prove the sender, made for each attempt because they include its time. */
  sign: (messageId: string, body: string, at: Date) => Record<string, string>;
};

/** A webhook to the product; `delayMs` counts from now. What is stored holds ids and states, never personal data. */
export type Message = {
  target: TargetName;
  messageId: string;
  /** A JSON object. */
  body: string;
  delayMs: number;
  /** Fields to add to the body: kept in memory only, so a restart loses them. */
  personal?: object;
};

type Row = { id: number; target: TargetName; message_id: string; body: string; attempts: number };
/** A message as it will be stored, claimed already if it is sent at once. */
type Planned = Omit<Row, "id"> & { due_at: Date; claimed_until: Date | null };
/** What a transaction has added: to be sent once it is committed, or found when due. */
type Added = { readonly toSend: Row[]; isDueSoon: boolean };
type Exchange = (Row | { id: null }) & { nextAt: Date | null };
type Exchanged = { rows: readonly Row[]; nextAt: Date | null };

const batchSize = 16;
const requestTimeoutMs = 10_000;
/** Longer than a request, so a message on its way is not claimed twice. */
const claimMs = 15_000;
const shortestPauseMs = 20;
const longestPauseMs = 1_000;
const longestBackoffMs = 30_000;
/** About four hours of an unavailable receiver; then the message remains undelivered. */
const attemptsAtMost = 500;

const backoffMs = (attempts: number): number =>
  Math.min(250 * 2 ** Math.min(attempts - 1, 20), longestBackoffMs);

/**
 * A statement that stores a fact and the messages that tell of it: all of them or none. `facts` are the contents of a
 * WITH clause. The one named `fact` has a row if there is something to tell, and none if not; its columns are selected.
 */
export type Telling = {
  name: string;
  facts: string;
  values: readonly unknown[];
  messages: readonly Message[];
};

/** A fact's columns, and the ids of its messages in their order. */
type Told<Fact> = Fact & { messageIds: number[] | null };

const textOf = ({ facts, values }: Telling): string => `
  with ${facts},
  message as (
    insert into sandbox.deliveries (target, message_id, body, due_at, claimed_until, attempts)
    select planned.* from fact, jsonb_to_recordset($${values.length + 1}) as planned
      (target text, message_id text, body text, due_at timestamptz, claimed_until timestamptz, attempts integer)
    returning id
  )
  select fact.*, (select json_agg(id order by id) from message) as "messageIds" from fact`;

/** Messages that survive a restart: stored until the receiver answers 2xx. */
export class Deliveries {
  readonly #pool: Pool;
  readonly #targets: Readonly<Record<TargetName, Target>>;
  readonly #now: () => Date;
  readonly #log: Pick<Log, "error">;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #wokenMeanwhile = false;
  #stopped = true;
  /** By the client of an open transaction. */
  readonly #added = new WeakMap<Client, Added>();
  readonly #sending = new Set<Promise<void>>();
  /** Taken by the receiver, and removed with the next statement. */
  #taken: readonly number[] = [];
  /** By the message's id, until it is taken. */
  readonly #personal = new Map<string, object>();

  constructor(parts: {
    pool: Pool;
    targets: Readonly<Record<TargetName, Target>>;
    now: () => Date;
    log: Pick<Log, "error">;
  }) {
    this.#pool = parts.pool;
    this.#targets = parts.targets;
    this.#now = parts.now;
    this.#log = parts.log;
  }

  /** Runs changes in one transaction, then sends what they have told and is due. */
  async transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const added: Added = { toSend: [], isDueSoon: false };
    const result = await inTransaction(this.#pool, (client) => {
      this.#added.set(client, added);
      return work(client).finally(() => this.#added.delete(client));
    });
    this.#begin(added);
    return result;
  }

  /**
   * Runs one statement, then sends its messages that are due: within a `transaction`, when that is committed. It waits
   * for the disk: an event of the product, appended once the database is back after a crash, may rest on the answer.
   * @returns the fact; undefined if there was nothing to tell
   */
  async tell<Fact extends object>(telling: Telling, client?: Client): Promise<Told<Fact> | undefined> {
    const open = client && this.#added.get(client);
    if (client && !open) throw new Error("Messages of a transaction are told within `transaction`.");
    const added: Added = open ?? { toSend: [], isDueSoon: false };
    const planned = this.#plan(telling.messages, this.#sending.size + added.toSend.length);
    const { rows } = await (client ?? this.#pool).query<Told<Fact>>({
      name: telling.name,
      text: textOf(telling),
      values: [...telling.values, JSON.stringify(planned)],
    });
    const [fact] = rows;
    if (!fact) return undefined;
    for (const [nth, id] of (fact.messageIds ?? []).entries()) {
      const row = planned[nth];
      if (row?.claimed_until) added.toSend.push({ ...row, id });
      else if (row && row.due_at < this.#later(longestPauseMs)) added.isDueSoon = true;
    }
    if (!open) this.#begin(added);
    return fact;
  }

  /** What is due at once and can be sent is stored as claimed, which spares looking for it. */
  #plan(messages: readonly Message[], ahead: number): readonly Planned[] {
    let free = batchSize - ahead;
    return messages.map(({ target, messageId, body, delayMs, personal }) => {
      if (personal) this.#personal.set(messageId, personal);
      const isSent = delayMs === 0 && this.#canSend(target) && free > 0;
      if (isSent) free -= 1;
      return {
        ...{ target, message_id: messageId, body, due_at: this.#later(delayMs) },
        ...{ claimed_until: isSent ? this.#later(claimMs) : null, attempts: isSent ? 1 : 0 },
      };
    });
  }

  #begin({ toSend, isDueSoon }: Added): void {
    for (const row of toSend) this.#send(row);
    if (isDueSoon) this.wake();
  }

  async start(): Promise<void> {
    // A killed process left its claims behind; the sandbox runs once, so they are stale.
    await this.#pool.query(
      "update sandbox.deliveries set claimed_until = null where claimed_until is not null",
    );
    this.#stopped = false;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#running, ...this.#sending]);
    // What cannot be removed is delivered again after a restart.
    if (this.#taken.length > 0)
      await this.#exchange(0).catch((error: unknown) =>
        this.#log.error({ err: error }, "the sandbox could not remove delivered messages"),
      );
  }

  /** Sends a message that is claimed already; if it fails, it is due again later. */
  #send(row: Row): void {
    const sending = this.#deliver(row)
      .catch((error: unknown) => this.#log.error({ err: error }, "the sandbox could not deliver a message"))
      .finally(() => void this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  #canSend(target: TargetName): boolean {
    return !this.#stopped && this.#reachable().includes(target);
  }

  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#wokenMeanwhile = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#running = this.#run()
      .catch((error: unknown) => {
        this.#log.error({ err: error }, "the sandbox could not deliver its messages");
        return longestPauseMs;
      })
      .then((pauseMs) => this.#pause(pauseMs));
  }

  #pause(ms: number): void {
    this.#running = undefined;
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), this.#wokenMeanwhile ? 0 : ms);
    this.#wokenMeanwhile = false;
  }

  /** Delivers all due messages. @returns the pause in ms until the next is due */
  async #run(): Promise<number> {
    let { rows, nextAt } = await this.#exchange();
    while (rows.length > 0) {
      await Promise.all(rows.map((row) => this.#deliver(row)));
      ({ rows, nextAt } = await this.#exchange(this.#stopped ? 0 : batchSize));
    }
    const waitMs = (nextAt?.getTime() ?? Number.POSITIVE_INFINITY) - this.#now().getTime();
    return Math.min(Math.max(waitMs, shortestPauseMs), longestPauseMs);
  }

  /**
   * Removes what was taken and claims what is due, in one statement that does not wait for the disk: a message may be
   * delivered twice. `nextAt` counts only when nothing was claimed.
   */
  async #exchange(most = batchSize): Promise<Exchanged> {
    const taken = this.#taken;
    const { rows } = await this.#pool.query<Exchange>({
      name: "sandbox-deliveries",
      text: `
        with gone as (delete from sandbox.deliveries where id = any($5::bigint[])),
        claimed as (
          update sandbox.deliveries set claimed_until = $2, attempts = attempts + 1
          where id in (
            select id from sandbox.deliveries
            where due_at <= $1 and (claimed_until is null or claimed_until <= $1) and target = any($3)
              and id <> all($5::bigint[])
            order by due_at, id limit $4 for update skip locked
          )
          returning id, target, message_id, body, attempts
        )
        select claimed.*, next.at as "nextAt"
        from (select set_config('synchronous_commit', 'off', true)) as quick,
          (select min(greatest(due_at, claimed_until)) as at from sandbox.deliveries
           where due_at < 'infinity' and target = any($3) and id <> all($5::bigint[])) as next
          left join claimed on true`,
      values: [this.#now(), this.#later(claimMs), this.#reachable(), most, taken],
    });
    this.#taken = this.#taken.filter((id) => !taken.includes(id));
    return { rows: rows.filter((row) => row.id !== null), nextAt: rows[0]?.nextAt ?? null };
  }

  async #deliver(row: Row): Promise<void> {
    const personal = this.#personal.get(row.message_id);
    const body = personal ? JSON.stringify({ ...JSON.parse(row.body), ...personal }) : row.body;
    if (await isTaken(this.#targets[row.target], { ...row, body }, this.#now())) {
      this.#personal.delete(row.message_id);
      this.#taken = [...this.#taken, row.id];
      return;
    }
    await this.#pool.query("update sandbox.deliveries set claimed_until = null, due_at = $2 where id = $1", [
      row.id,
      row.attempts >= attemptsAtMost ? "infinity" : this.#later(backoffMs(row.attempts)),
    ]);
  }

  #reachable(): string[] {
    return Object.entries(this.#targets).flatMap(([name, target]) => (target.url() ? [name] : []));
  }

  #later(ms: number): Date {
    return new Date(this.#now().getTime() + ms);
  }
}

/** One attempt; it is repeated if the receiver cannot be reached, is too slow or does not answer 2xx. */
async function isTaken(target: Target, row: Row, at: Date): Promise<boolean> {
  const url = target.url();
  if (!url) return false;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...target.sign(row.message_id, row.body, at) },
      body: row.body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
