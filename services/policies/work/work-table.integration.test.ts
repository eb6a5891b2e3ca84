import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPool, inDerivedTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { describeWorkTable, dueIn } from "../../../testing/services/work-table-contract.ts";
import { addRows, createWorkTable, deriveRows, type Standing } from "./work-table.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** As if so much time had passed, or the clock had been set. */
async function passInDatabase(seconds: number): Promise<void> {
  await pool.query(`alter table workers disable trigger move_workers_clock;
    update workers set beaten_at = beaten_at - interval '${seconds} s';
    alter table workers enable trigger move_workers_clock`);
}

describeWorkTable("in Postgres", async () => {
  await pool.query("delete from work");
  await pool.query("delete from workers");
  return {
    table: createWorkTable(pool, 1),
    pass: passInDatabase,
    begin: async () => {
      const client = await pool.connect();
      await client.query("begin");
      const end = async (how: "commit" | "rollback") => {
        await client.query(how);
        client.release();
      };
      return {
        derive: (deriving) =>
          deriveRows(client, deriving).catch(async (error: unknown) => {
            await end("rollback");
            throw error;
          }),
        expectOpen: () => undefined,
        commit: () => end("commit"),
        rollBack: () => end("rollback"),
      };
    },
  };
});

describe("A worker of an older build", () => {
  /** What newer rules derived while the older worker owned it, as its row says after it let go. */
  async function letGoByOlder(standing: Standing | null) {
    const [older, newer] = [createWorkTable(pool, 1), createWorkTable(pool, 2)];
    const [worker, heir] = [randomUUID(), randomUUID()];
    await older.enter(worker);
    await newer.enter(heir);
    const due = dueIn(0);
    await addRows(pool, [due], dueAt, 1);
    await older.take({ worker, at: dueAt, busy: [], crowded: [], most: 10 });
    await addRows(pool, [dueIn(5, due.subjectId)], dueAt, 2);
    const claim = await older.claimOf(worker, due.subjectId);
    expect(claim && (await older.letGo(worker, claim, standing))).toBe(true);
    const taken = await newer.take({
      worker: heir,
      at: new Date(dueAt.getTime() + 5_000),
      busy: [],
      crowded: [],
      most: 10,
    });
    await newer.remove(heir);
    await older.remove(worker);
    return taken.find(({ subjectId }) => subjectId === due.subjectId)?.dueAt;
  }
  const dueAt = new Date("2026-11-23T09:30:00.000Z");

  it("moves the workers' clock as well, which its statements do not name", async () => {
    const table = createWorkTable(pool, 2);
    const [worker, older] = [randomUUID(), randomUUID()];
    await table.enter(worker);
    const silentMs = async () =>
      (await table.beat(worker))?.others.find(({ id }) => id === older)?.silentMs ?? Number.NaN;
    await pool.query("insert into workers (id) values ($1)", [older]);
    await passInDatabase(1.5);
    expect(await silentMs()).toBeGreaterThan(1_400);
    await pool.query("update workers set beats = beats + 1 where id = $1", [older]);
    expect(await silentMs()).toBeLessThan(1_000);
    await table.remove(worker);
    await table.remove(older);
  });

  it.each([
    ["it owes nothing", null],
    ["it owes something later", { dueAt: new Date("2026-12-23T09:30:00.000Z"), retries: {} }],
  ])(
    "lets go of what newer rules derived, and leaves it due, where by its own rules %s",
    async (_, standing) => {
      expect(await letGoByOlder(standing)).toEqual(new Date(dueAt.getTime() + 5_000));
    },
  );
});

it("moves the workers' clock on no faster than time passes, however many heartbeats come at once", async () => {
  await pool.query("delete from workers");
  const table = createWorkTable(pool, 1);
  const workers = Array.from({ length: 8 }, () => randomUUID());
  const fromMs = performance.now();
  for (const worker of workers) await table.enter(worker);
  await Promise.all(
    workers.map(async (worker) => {
      for (let nth = 0; nth < 150; nth += 1) await table.beat(worker);
    }),
  );
  const passedMs = performance.now() - fromMs;
  const { rows } = await pool.query<{ ms: number }>(
    "select max(extract(epoch from clock))::float8 * 1000 as ms from workers",
  );
  expect(rows[0]?.ms).toBeLessThanOrEqual(passedMs);
  for (const worker of workers) await table.remove(worker);
});

it("waits for the disk with what a worker takes, and with nothing else", async () => {
  const worker = randomUUID();
  await createWorkTable(pool, 1).enter(worker);
  const now = new Date();
  const derive = (takes: ReadonlySet<string>, subjectId: string) =>
    inDerivedTransaction(pool, async (client) => {
      const tasks = [{ name: "fulfil", kind: "fulfil" as const, dueAt: now.toISOString() }];
      const derived = [{ subjectId, tasks }];
      await deriveRows(client, { ...{ derived, now, rules: 1, worker, takes }, letsGo: new Set() });
      return (await client.query<{ how: string }>("select current_setting('synchronous_commit') as how"))
        .rows[0];
    });
  expect(await derive(new Set(), randomUUID())).toEqual({ how: "off" });
  const taken = randomUUID();
  expect(await derive(new Set([taken]), taken)).toEqual({ how: "on" });
});
