import type { Log } from "../../infra/log.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";

export type TargetName = "stripe" | "gro";

export type Target = {
  /** Where to deliver; undefined while nobody has said, and then everything waits. */
  url: () => string | undefined;
  /** The headers that prove the sender, made for each attempt because they hold its time. */
  sign: (messageId: string, body: string, at: Date) => Record<string, string>;
};

/** A message to a receiver of ours; `delayMs` counts from now. Messages hold ids and states, never personal data. */
export type Message = { target: TargetName; messageId: string; body: string; delayMs: number };

/** Messages that outlive a restart: kept in the database until the receiver answered 2xx. */
export interface Deliveries {
  /** Adds within the caller's transaction; call `wake` once that is committed. */
  add(client: Client, message: Message): Promise<void>;
  wake(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

type Row = { id: number; target: TargetName; message_id: string; body: string; attempts: number };

const batchSize = 16;
const requestTimeoutMs = 10_000;
/** Longer than a request, so that nobody else takes a message that is on its way. */
const claimMs = 15_000;
const shortestPauseMs = 20;
const longestPauseMs = 1_000;
const longestBackoffMs = 30_000;
/** About four hours of a receiver that is down; then the message stays, undelivered. */
const attemptsAtMost = 500;

const backoffMs = (attempts: number): number =>
  Math.min(250 * 2 ** Math.min(attempts - 1, 20), longestBackoffMs);

export function createDeliveries(parts: {
  pool: Pool;
  targets: Readonly<Record<TargetName, Target>>;
  now: () => Date;
  log: Pick<Log, "error">;
}): Deliveries {
  const { pool, targets, now, log } = parts;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let stopped = true;

  const later = (ms: number): Date => new Date(now().getTime() + ms);

  const reachable = (): string[] =>
    Object.entries(targets).flatMap(([name, target]) => (target.url() ? [name] : []));

  const claim = async (): Promise<Row[]> => {
    const { rows } = await pool.query<Row>(
      `update sandbox.deliveries set claimed_until = $2, attempts = attempts + 1
       where id in (
         select id from sandbox.deliveries
         where due_at <= $1 and (claimed_until is null or claimed_until <= $1) and target = any($3)
         order by due_at, id limit $4 for update skip locked
       )
       returning id, target, message_id, body, attempts`,
      [now(), later(claimMs), reachable(), batchSize],
    );
    return rows;
  };

  const deliver = async (row: Row): Promise<void> => {
    if (await isTaken(targets[row.target], row, now())) {
      await pool.query("delete from sandbox.deliveries where id = $1", [row.id]);
      return;
    }
    await pool.query("update sandbox.deliveries set claimed_until = null, due_at = $2 where id = $1", [
      row.id,
      row.attempts >= attemptsAtMost ? "infinity" : later(backoffMs(row.attempts)),
    ]);
  };

  /** Delivers all that is due; answers how long to pause until the next is. */
  const run = async (): Promise<number> => {
    let rows: Row[];
    do {
      rows = await claim();
      await Promise.all(rows.map(deliver));
    } while (rows.length > 0 && !stopped);
    const { rows: next } = await pool.query<{ at: Date | null }>(
      `select min(greatest(due_at, claimed_until)) as at from sandbox.deliveries
       where due_at < 'infinity' and target = any($1)`,
      [reachable()],
    );
    const waitMs = (next[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY) - now().getTime();
    return Math.min(Math.max(waitMs, shortestPauseMs), longestPauseMs);
  };

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, ms);
  };

  const wake = (): void => {
    if (stopped) return;
    if (running) {
      wokenMeanwhile = true;
      return;
    }
    clearTimeout(timer);
    running = run()
      .catch((error: unknown) => {
        log.error({ err: error }, "the sandbox could not deliver its messages");
        return longestPauseMs;
      })
      .then((pauseMs) => {
        running = undefined;
        schedule(wokenMeanwhile ? 0 : pauseMs);
        wokenMeanwhile = false;
      });
  };

  return {
    add: async (client, { target, messageId, body, delayMs }) => {
      await client.query(
        "insert into sandbox.deliveries (target, message_id, body, due_at) values ($1, $2, $3, $4)",
        [target, messageId, body, later(delayMs)],
      );
    },
    wake,
    start: async () => {
      // A process that was killed left its claims behind; the sandbox runs once, so they are nobody's.
      await pool.query("update sandbox.deliveries set claimed_until = null where claimed_until is not null");
      stopped = false;
      wake();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** One attempt; a receiver that cannot be reached, is too slow or answers anything but 2xx gets it again. */
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
