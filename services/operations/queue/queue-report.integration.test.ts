import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPool, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { createWorkTable, taskRules } from "../../policies/work/work-table.ts";
import { isDrained, letGo, readQueue, wordsOf } from "./queue-report.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
beforeEach(() =>
  inTransaction(pool, (client) =>
    client.query("delete from work; delete from workers; delete from followers"),
  ),
);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const none = { waiting: 0, active: 0, oldestWaiting: undefined };
const holding = (jobs: object) => ({ standing: async () => ({ ...none, ...jobs }) });
const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const owe = async (dueAt: string) => {
  const subjectId = randomUUID();
  const tasks = [{ kind: "fulfil", name: "fulfil", dueAt }] as const;
  await createWorkTable(pool).remind({ subjectId, tasks }, new Date());
  return subjectId;
};

it("counts tasks by kind, with those due and since when", async () => {
  await owe(secondsFromNow(-90));
  await owe(secondsFromNow(-30));
  await owe(secondsFromNow(3600));
  const found = await readQueue(pool, holding({ waiting: 2, active: 1, oldestWaiting: new Date(0) }));
  expect(found.tasks).toEqual([
    { kind: "fulfil", owed: 3, due: 2, oldestSeconds: expect.closeTo(90, -2), mostTries: 0 },
  ]);
  expect(wordsOf(found, new Date(7_000)).split("\n")).toEqual([
    "owed                    in all   due now    oldest     tries",
    expect.stringMatching(/^fulfil {23}3 {9}2 {6}\d\d s {9}0$/),
    "No worker is running.",
    "Jobs that wake workers: 2 waiting (the oldest for 7 s), 1 running.",
  ]);
});

it("is drained once nothing is due, whatever is due later", async () => {
  await owe(secondsFromNow(3600));
  expect(isDrained(await readQueue(pool, holding({})))).toBe(true);
  await owe(secondsFromNow(-1));
  expect(isDrained(await readQueue(pool, holding({})))).toBe(false);
});

it("shows which worker owns what since when, and lets it go by the rule for dead workers", async () => {
  const table = createWorkTable(pool);
  const worker = randomUUID();
  await table.enter(worker);
  const subjectId = await owe(secondsFromNow(-1));
  await table.take({ worker, at: new Date(), busy: [], crowded: [], most: 10 });
  const found = await readQueue(pool, holding({}));
  expect(found.workers).toEqual([{ id: worker, owned: 1, startedSeconds: expect.any(Number) }]);
  expect(found.owned).toEqual([{ subjectId, worker, seconds: expect.any(Number), tries: 0 }]);
  expect(wordsOf(found, new Date())).toMatch(new RegExp(`^${subjectId} .*\\d s +0 ${worker}$`, "m"));

  expect(await letGo(pool, worker)).toBe(true);
  expect(await table.beat(worker)).toBeUndefined();
  const { workers, owned } = await readQueue(pool, holding({}));
  expect(workers).toEqual([
    { id: expect.not.stringMatching(worker), owned: 1, startedSeconds: expect.any(Number) },
  ]);
  expect(owned).toMatchObject([{ subjectId, worker: workers[0]?.id }]);
  expect(await letGo(pool, worker)).toBe(false);
});

it("reports a stopped follower, because the task list is then incomplete", async () => {
  const empty = await readQueue(pool, holding({}));
  expect(wordsOf(empty, new Date())).toBe(
    "No outstanding tasks.\nNo worker is running.\nJobs that wake workers: 0 waiting, 0 running.",
  );
  await pool.query(
    "insert into followers (name, version, state, stop_reason, stop_position) values ('work', 1, 'stopped', 'event-failed', '1')",
  );
  expect(wordsOf(await readQueue(pool, holding({})), new Date())).toContain("Follower work has stopped");
});

it("reports unreadable orders and tickets, because their tasks are missing too", async () => {
  await pool.query(`with follower as (insert into followers (name, version) values ('work', ${taskRules}))
    insert into followers (name, version) values ('work', 99)`);
  await pool.query(
    `insert into parked_streams (name, version, stream, position, event_id, revision, reason)
     select 'work', version, 'order-1', '1', 'event-1', 0, 'changed' from (values (${taskRules}), (99)) as of (version)`,
  );
  expect(wordsOf(await readQueue(pool, holding({})), new Date())).toContain(
    "Orders and tickets that cannot be read: 1.",
  );
});
