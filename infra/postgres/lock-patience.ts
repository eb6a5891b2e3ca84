import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { OperatorError } from "../process/operator-error.ts";
import { lockNotAvailable } from "./postgres-errors.ts";

export type LockPatience = {
  /** How long a statement waits for a lock. Meanwhile all later statements on the table wait behind it. */
  readonly lockTimeoutMs: number;
  readonly tries: number;
  /** Between two tries; the others continue. */
  readonly pause: () => Promise<void>;
};

const usual: LockPatience = { lockTimeoutMs: 3_000, tries: 60, pause: () => delay(2_000) };

type Asker = Pick<pg.Pool, "query">;
type Waiter = Pick<pg.ClientBase, "query">;

/** Makes the statements of a session, or of its transaction, wait only briefly for locks. */
type WaitBriefly = (client: Waiter, scope: "session" | "transaction") => Promise<void>;

/**
 * Does work that needs whole tables to itself in a running product: waits only briefly for locks, and repeats the work
 * for some minutes.
 * @param asker asked for the sessions in the way, on another connection than the work's
 * @throws OperatorError that names them
 */
export async function patientWithLocks<T>(
  asker: Asker,
  work: (waitBriefly: WaitBriefly) => Promise<T>,
  patience: Partial<LockPatience> = {},
): Promise<T> {
  const { lockTimeoutMs, tries, pause } = { ...usual, ...patience };
  let waiterId: number | undefined;
  let inTheWay: readonly string[] = [];
  const waitBriefly: WaitBriefly = async (client, scope) => {
    const { rows } = await client.query<{ id: number }>(
      "select pg_backend_pid() as id, set_config('lock_timeout', $1, $2)",
      [`${lockTimeoutMs}`, scope === "transaction"],
    );
    waiterId = rows[0]?.id;
  };
  const looking = setInterval(async () => {
    // Only for the message: the work itself reports a server that does not answer.
    const found = await sessionsBlocking(asker, waiterId).catch(() => []);
    if (found.length > 0) inTheWay = found;
  }, lockTimeoutMs / 4);
  try {
    for (let tried = 1; ; tried++) {
      try {
        return await work(waitBriefly);
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (tried === tries) throw givenUp(inTheWay, error);
      }
      await pause();
    }
  } finally {
    clearInterval(looking);
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === lockNotAvailable;

async function sessionsBlocking(asker: Asker, waiterId: number | undefined): Promise<string[]> {
  if (waiterId === undefined) return [];
  const { rows } = await asker.query<{ words: string }>(
    `select format('process %s (%s) since %s', id, coalesce(nullif(application_name, ''), 'unnamed'),
              to_char(coalesce(xact_start, backend_start) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as words
     from unnest(pg_blocking_pids($1)) as blocking (id) left join pg_stat_activity on pid = id order by id`,
    [waiterId],
  );
  return rows.map(({ words }) => words);
}

const givenUp = (inTheWay: readonly string[], cause: unknown): OperatorError =>
  new OperatorError(
    `The database did not give a lock within some minutes, and nothing was changed. ${
      inTheWay.length > 0 ? `In the way: ${inTheWay.join(", ")}` : "Another session was in the way"
    }. Wait until it is done, a backup for example, or end it; then run this again.`,
    { cause },
  );
