import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";

/** What product and database have done since they started. CPU is NaN where there is no /proc. */
export const countsOf = (of: (name: Counted) => number) => ({
  transactions: of("transactions"),
  fsyncs: of("fsyncs"),
  walBytes: of("walBytes"),
  walImages: of("walImages"),
  statementWalBytes: of("statementWalBytes"),
  insertedRows: of("insertedRows"),
  statements: of("statements"),
  logReads: of("logReads"),
  streamReads: of("streamReads"),
  appends: of("appends"),
  productCpuMs: of("productCpuMs"),
  postgresCpuMs: of("postgresCpuMs"),
});

export type Counted =
  | "transactions"
  | "fsyncs"
  | "walBytes"
  | "walImages"
  | "statementWalBytes"
  | "insertedRows"
  | "statements"
  | "logReads"
  | "streamReads"
  | "appends"
  | "productCpuMs"
  | "postgresCpuMs";
export type Counts = Readonly<Record<Counted, number>>;

/** A statement as the server normalises it, how often it ran, and what it wrote to the write-ahead log. */
export type StatementCalls = { readonly text: string; readonly calls: number; readonly walBytes: number };

/** Settings of the server without which statements are not counted. */
export const countingSettings = [
  "shared_preload_libraries=pg_stat_statements",
  "pg_stat_statements.max=10000",
];

const row = z.object({
  transactions: z.coerce.number(),
  inserted: z.coerce.number(),
  fsyncs: z.coerce.number(),
  wal: z.coerce.number(),
  images: z.coerce.number(),
});
const statementRows = z.array(
  z.object({ text: z.string(), calls: z.coerce.number(), walBytes: z.coerce.number() }),
);

const countersText = `
  select xact_commit + xact_rollback as transactions, tup_inserted as inserted,
         (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal') as fsyncs,
         (select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')) as wal,
         (select wal_fpi from pg_stat_wal) as images
  from pg_stat_database where datname = current_database()`;

const statementsText = `
  select query as text, sum(calls) as calls, sum(wal_bytes) as "walBytes" from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database()) group by query`;

/** An idle connection reports what it did after this long at the latest (PGSTAT_IDLE_INTERVAL). */
const reportedWithinMs = 10_500;

export type Counters = {
  /** Waits until the server's processes have reported, then reads. */
  read(): Promise<{
    readonly counts: Counts;
    readonly statements: readonly StatementCalls[];
    readonly atMs: number;
  }>;
  /** One number, read without being counted. */
  ask(sql: string, values?: readonly unknown[]): Promise<number>;
  close(): Promise<void>;
};

/** Counters of the product's process and of the database server whose postmaster this is. */
export async function openCounters(
  connectionString: string,
  { product, postmaster }: { readonly product: () => number; readonly postmaster: number },
): Promise<Counters> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("create extension if not exists pg_stat_statements");
  let own = 0;

  async function query(text: string, values: readonly unknown[] = []): Promise<unknown[]> {
    own += 1;
    return (await client.query(`/* counting */ ${text}`, [...values])).rows;
  }

  return {
    async read() {
      await delay(reportedWithinMs);
      const cpu = { productCpuMs: cpuMsOf(product()), postgresCpuMs: cpuMsOfTree(postmaster) };
      const [first] = await query(countersText);
      const found = row.parse(first);
      const every = statementRows.parse(await query(statementsText));
      const statements = every.filter(({ text }) => !text.includes("/* counting */"));
      const calls = (pattern: RegExp) =>
        statements.filter(({ text }) => pattern.test(text)).reduce((sum, each) => sum + each.calls, 0);
      const counts = {
        transactions: found.transactions - own,
        fsyncs: found.fsyncs,
        walBytes: found.wal,
        walImages: found.images,
        statementWalBytes: statements.reduce((sum, { walBytes }) => sum + walBytes, 0),
        insertedRows: found.inserted,
        statements: calls(/./s),
        logReads: calls(/from events where position >/i),
        streamReads: calls(/from events where stream =/i),
        appends: calls(/from append_events/i),
        ...cpu,
      };
      return { counts, statements, atMs: performance.now() };
    },
    async ask(sql, values) {
      const [first] = z.array(z.object({ n: z.coerce.number() })).parse(await query(sql, values));
      return first?.n ?? Number.NaN;
    },
    close: () => client.end(),
  };
}

/** Linux counts processor time in hundredths of a second, whatever the kernel's own tick. */
const tickMs = 10;

/** Parent and processor time of a process; `reaped` is that of children that ended. */
function statOf(pid: number): { parent: number; own: number; reaped: number } | undefined {
  try {
    // The name, in parentheses, may itself contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((n) => Number(fields[n]));
    if (parent === undefined) return undefined;
    return {
      parent,
      own: ((user ?? 0) + (system ?? 0)) * tickMs,
      reaped: ((childUser ?? 0) + (childSystem ?? 0)) * tickMs,
    };
  } catch {
    return undefined; // No /proc, or the process ended.
  }
}

export const cpuMsOf = (pid: number): number => statOf(pid)?.own ?? Number.NaN;

/** A process with its children, those that ended included. */
export function cpuMsOfTree(pid: number): number {
  const root = statOf(pid);
  if (!root) return Number.NaN;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return (
    root.own + root.reaped + children.reduce((sum, stat) => sum + (stat?.own ?? 0) + (stat?.reaped ?? 0), 0)
  );
}
