import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "../process/operator-error.ts";

/** How long a starting server may take; longer would hide a wrong address. */
const defaultPatienceMs = 10_000;
const connectTimeoutMs = 5000;

/**
 * Connects once to the operator's server, so that a wrong DATABASE_URL is reported clearly.
 * @throws OperatorError when it is unreachable, refuses us, or is not ours
 */
export async function reachDatabase(
  connectionString: string,
  signal?: AbortSignal,
  patienceMs = defaultPatienceMs,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    signal?.throwIfAborted();
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
    client.on("error", () => undefined); // Reported by the failing query.
    try {
      await client.connect();
      await expectSuitable(client, connectionString);
      return;
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if (!isStarting(error) || Date.now() > deadline) throw unreachable(connectionString, error);
    } finally {
      await client.end().catch(() => undefined); // It was never connected.
    }
    await delay(500);
  }
}

async function expectSuitable(client: pg.Client, connectionString: string): Promise<void> {
  const { rows } = await client.query<{ encoding: string; ours: boolean; others: string | null }>(
    `select current_setting('server_encoding') as encoding, to_regclass('public.installation') is not null as ours,
       (select string_agg(tablename, ', ' order by tablename) from
         (select tablename from pg_tables where schemaname = 'public' order by tablename limit 5) as few) as others`,
  );
  const found = rows[0];
  if (found && found.encoding !== "UTF8") {
    throw new OperatorError(
      `DATABASE_URL (${nameOf(connectionString)}) is a database in ${found.encoding}, which cannot store every name: create one with encoding UTF8 and set DATABASE_URL to it.`,
    );
  }
  // While another process migrates, the first migration's first table may be alone.
  const isBeingMade = found?.others === "migrations";
  if (found && !found.ours && found.others !== null && !isBeingMade) {
    throw new OperatorError(
      `DATABASE_URL (${nameOf(connectionString)}) is a database used by another program (it has the tables ${found.others}): set DATABASE_URL to an empty one.`,
    );
  }
}

/**
 * Refused connections and "the database system is starting up" are transient when the server is starting at the same
 * time.
 */
function isStarting(error: unknown): boolean {
  return ["ECONNREFUSED", "57P03", "EAI_AGAIN"].includes(codeOf(error) ?? "");
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: start the server, or set DATABASE_URL to where it is",
  ENOTFOUND: "its host is unknown: correct DATABASE_URL",
  EAI_AGAIN: "its host could not be looked up: check the network, or correct DATABASE_URL",
  "28P01": "the server refuses the password: correct DATABASE_URL",
  "28000": "the server refuses this user from here: allow it in pg_hba.conf, or set DATABASE_URL to another",
  "3D000": "there is no such database: create it (createdb), or set DATABASE_URL to one that exists",
  "57P03": "the server does not accept connections: check its log",
  "53300": "the server has no connection left: raise its max_connections",
};

function unreachable(connectionString: string, error: unknown): OperatorError {
  const code = codeOf(error);
  const words = error instanceof Error ? error.message : String(error);
  const reason =
    (code && reasons[code]) ?? `it answers "${words}": fix that, or set DATABASE_URL to another server`;
  return new OperatorError(`DATABASE_URL (${nameOf(connectionString)}) cannot be used: ${reason}.`, {
    cause: error,
  });
}

/** Host, port and name, without the password. */
function nameOf(connectionString: string): string {
  const { host, pathname } = new URL(connectionString);
  return `${host}${pathname}`;
}

function codeOf(error: unknown): string | undefined {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && "code" in first && typeof first.code === "string" ? first.code : undefined;
}
