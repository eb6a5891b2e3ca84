import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createPool, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { createTaskList, taskRules } from "../../policies/tasks/task-list.ts";
import { isDrained, readQueue, wordsOf } from "./queue-report.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
beforeEach(() => inTransaction(pool, (client) => client.query("delete from duties; delete from followers")));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const none = { waiting: 0, delayed: 0, active: 0, oldestWaiting: undefined };
const holding = (jobs: object) => ({ standing: async () => ({ ...none, ...jobs }) });
const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const owe = (dueAt: string) =>
  createTaskList(pool).addMissing(randomUUID(), [{ kind: "fulfil", name: "fulfil", dueAt }], new Date());

it("counts tasks by kind, with those due and since when", async () => {
  await owe(secondsFromNow(-90));
  await owe(secondsFromNow(-30));
  await owe(secondsFromNow(3600));
  const found = await readQueue(pool, holding({ waiting: 2, active: 1, oldestWaiting: new Date(0) }));
  expect(found.tasks).toEqual([
    { kind: "fulfil", owed: 3, due: 2, oldestSeconds: expect.closeTo(90, -2), mostTries: 0 },
  ]);
  expect(wordsOf(found, new Date(7_000)).split("\n")).toEqual([
    "Jobs: 2 waiting (the oldest for 7 s), 1 running, 0 scheduled.",
    "owed                   in all  due now   oldest    tries",
    expect.stringMatching(/^fulfil {22}3 {8}2 {5}\d\d s {8}0$/),
  ]);
});

it("is drained once nothing is due or running, whatever is due later", async () => {
  await owe(secondsFromNow(3600));
  expect(isDrained(await readQueue(pool, holding({ delayed: 1 })))).toBe(true);
  expect(isDrained(await readQueue(pool, holding({ active: 1 })))).toBe(false);
  await owe(secondsFromNow(-1));
  expect(isDrained(await readQueue(pool, holding({})))).toBe(false);
});

it("reports a stopped follower, because the task list is then incomplete", async () => {
  const empty = await readQueue(pool, holding({}));
  expect(wordsOf(empty, new Date())).toBe("Jobs: 0 waiting, 0 running, 0 scheduled.\nNo outstanding tasks.");
  await pool.query(
    "insert into followers (name, version, state, stop_reason, stop_position) values ('duties', 1, 'stopped', 'event-failed', '1')",
  );
  expect(wordsOf(await readQueue(pool, holding({})), new Date())).toContain("Follower duties has stopped");
});

it("reports unreadable orders and tickets, because their tasks are missing too", async () => {
  await pool.query(`with follower as (insert into followers (name, version) values ('duties', ${taskRules}))
    insert into followers (name, version) values ('duties', 99)`);
  await pool.query(
    `insert into parked_streams (name, version, stream, position, event_id, revision, reason)
     select 'duties', version, 'order-1', '1', 'event-1', 0, 'changed' from (values (${taskRules}), (99)) as of (version)`,
  );
  expect(wordsOf(await readQueue(pool, holding({})), new Date())).toContain(
    "Orders and tickets that cannot be read: 1.",
  );
});
