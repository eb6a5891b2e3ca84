import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { isAlive } from "../../../infra/postgres/embedded-process.ts";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { catalogue } from "../../../projections/catalogue.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { startTestCluster, type TestCluster } from "../../../testing/system/cluster-fixture.ts";
import {
  type Acknowledged,
  type Customers,
  startCustomers,
} from "../../../testing/system/customers-fixture.ts";

// One cluster, one load and one series of kills; each test checks another aspect of the result.

const leasesMoveWithinMs = 5_000;
/**
 * An order whose worker was killed between recording an attempt and sending it: the GRO's service is asked after a
 * minute, and the next attempt begins a minute later.
 */
const sentAgain = { ...soon, timeout: soon.timeout + 120_000 };
/** How often standby processes check whether a lease has expired. */
const asksEveryMs = 1_000;
let cluster: TestCluster;
let pool: Pool;
let store: ReturnType<typeof createPostgresEventStore>;
let customers: Customers;
/** Remaining time of the longest lease after each kill, by the database's clock; then another process may take it. */
const left: { killed: string; runsMs: number }[] = [];
let fencesBefore: ReadonlyMap<string, number>;

beforeAll(async () => {
  cluster = await startTestCluster();
  pool = createPool(cluster.connectionString, 4);
  store = createPostgresEventStore({ pool, connectionString: cluster.connectionString });
  fencesBefore = await fences();
  customers = await startCustomers(cluster.url, await cardUrl(), 3);
  for (const name of shuffled(["gateway-1", "projections-1", "projections-2", "worker-1", "worker-2"], 7)) {
    cluster.kill(name);
    left.push({ killed: name, runsMs: await longestLeaseMs() });
    await followedAgain();
    await cluster.readyAgain(name);
  }
  await vi.waitFor(() => expect(customers.finished.length).toBeGreaterThan(20), soon);
  await customers.stop();
});

afterAll(async () => {
  await store?.close();
  await pool?.end();
  await cluster?.[Symbol.asyncDispose]();
});

async function cardUrl(): Promise<string> {
  const script = await (await fetch(`${cluster.url}/sandbox/stripe.js`)).text();
  return /http:\/\/localhost:\d+/.exec(script)?.[0] ?? "";
}

/** Shuffled in the same order in every run. */
function shuffled(names: readonly string[], seed: number): string[] {
  const orderOf = (name: string, index: number) => (index * 7919 + seed * 104_729 + name.length) % 101;
  return names
    .map((name, index) => ({ name, at: orderOf(name, index) }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

async function fences(): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; fence: number }>(
    "select name, fence from followers where is_shared",
  );
  return new Map(rows.map(({ name, fence }) => [name, fence]));
}

type Lease = { name: string; lease: string | null; afterMs: number };

/** A killed process's last answer may still arrive for this long. */
const lastWordsMs = 200;

/** Waits until every follower's lease was taken or renewed after this moment, and so by a living process. */
async function followedAgain(): Promise<void> {
  const { rows: begun } = await pool.query<{ at: Date }>("select clock_timestamp() as at");
  const atFirst = new Map<string, string | null>();
  await vi.waitFor(async () => {
    const { rows } = await pool.query<Lease>(
      `select name, fence::text || ' ' || lease_until::text as lease,
         (extract(epoch from clock_timestamp() - $1::timestamptz) * 1000)::integer as "afterMs" from follower_checkpoints`,
      [begun[0]?.at],
    );
    const silent = rows.filter(({ name, lease, afterMs }) => {
      if (afterMs < lastWordsMs || !atFirst.has(name)) atFirst.set(name, lease);
      return lease === null || lease === atFirst.get(name) || afterMs < lastWordsMs;
    });
    expect(silent).toEqual([]);
  }, soon);
}

async function longestLeaseMs(): Promise<number> {
  const { rows } = await pool.query<{ runsMs: number }>(
    `select (extract(epoch from max(lease_until) - clock_timestamp()) * 1000)::integer as "runsMs" from follower_checkpoints`,
  );
  return rows[0]?.runsMs ?? 0;
}

async function missing(journal: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const lost: Acknowledged[] = [];
  for (const entry of journal) {
    const events = await store.readStream(`order-${entry.orderId}`);
    const written = events.some(({ position }) => position === entry.position);
    if (!written || !events.some(({ type }) => type === entry.event)) lost.push(entry);
  }
  return lost;
}

it("acknowledges only events that are in the log", async () => {
  expect(await missing(customers.journal)).toEqual([]);
});

it("detects an acknowledgement that was not stored (control)", async () => {
  const [first] = customers.journal;
  const hasty = { orderId: first?.orderId ?? "", event: "OrderCreated", position: "never written" };
  expect(await missing([hasty])).toEqual([hasty]);
});

it("does everything once, whichever process was killed", async () => {
  const times = async (sql: string) => {
    const { rows } = await pool.query<{ orderId: string; times: number }>(sql);
    return new Map(rows.map((row) => [row.orderId, row.times]));
  };
  const eventsOf = (type: string) =>
    times(
      `select substr(stream, 7) as "orderId", count(*)::integer as times from events where type = '${type}' group by 1`,
    );
  const once = new Map(customers.finished.map((orderId) => [orderId, 1]));
  for (const type of ["OrderCreated", "PaymentConfirmed", "SubmittedToGRO", "SensitiveDataPurged"]) {
    await vi.waitFor(async () => expect(await eventsOf(type), type).toEqual(once), sentAgain);
  }
  const charges = await times(
    `select metadata ->> 'orderId' as "orderId", count(*)::integer as times from sandbox.intents where status = 'succeeded' group by 1`,
  );
  expect(charges).toEqual(once);
  const { rows } = await pool.query(
    // The others are keys that an inquiry closed.
    "select order_number from sandbox.submissions where accepted_at is not null",
  );
  expect(rows).toHaveLength(once.size);
  expect(new Set(rows.map(({ order_number }) => order_number)).size).toBe(once.size);
});

it("shows the state of the log", async () => {
  const rows = async () => {
    const found: unknown[] = [];
    const { rows: tables } = await pool.query<{ place: string }>(
      "select quote_ident(schemaname) || '.' || quote_ident(tablename) as place from pg_tables where schemaname ~ '_v[0-9]+$' order by 1",
    );
    for (const { place } of tables) {
      const { rows: lines } = await pool.query(`select row_to_json(it)::text from ${place} it order by 1`);
      found.push({ place, lines });
    }
    return found;
  };
  await vi.waitFor(async () => {
    const head = await store.head();
    const { rows: behind } = await pool.query("select name from follower_checkpoints where position <> $1", [
      head,
    ]);
    expect(behind).toEqual([]);
    const live = await rows();
    for (const projection of catalogue) await projection.rebuild({ pool, store, newId: randomUUID });
    expect(await store.head(), "something happened meanwhile").toBe(head);
    expect(await rows()).toEqual(live);
  }, soon);
});

it("hands each lease to another process within 5 s of a kill", async () => {
  const late = left.filter(({ runsMs }) => runsMs + asksEveryMs > leasesMoveWithinMs);
  expect(late).toEqual([]);
  const after = await fences();
  const unmoved = [...fencesBefore].filter(([name, fence]) => (after.get(name) ?? 0) <= fence);
  expect(unmoved).toEqual([]);
});

it("detects a lease that is held longer (control)", async () => {
  await pool.query(
    "update followers set lease_holder = 'a process that was killed', fence = fence + 1, lease_until = clock_timestamp() + interval '60 seconds' where name = 'worker'",
  );
  expect((await longestLeaseMs()) + asksEveryMs).toBeGreaterThan(leasesMoveWithinMs);
});

it("stops every process when stopped, with exit code 0", async () => {
  expect(await cluster.end("SIGINT")).toBe(0);
  expect(cluster.pids().filter(isAlive)).toEqual([]);
});

it("stops every process when killed with -9", async () => {
  await using another = await startTestCluster();
  expect(another.pids().filter(isAlive)).toHaveLength(7);
  await another.end("SIGKILL");
  await vi.waitFor(() => expect(another.pids().filter(isAlive)).toEqual([]), soon);
});
