import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Task } from "../../../domain/order/tasks/task.ts";
import { createPool, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { historyTo, orderAfter, orderId, start, uuid } from "../../../testing/domain/order-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import {
  createOrderJobs,
  createTaskList,
  listTasks,
  outstandingPurges,
  type TaskList,
  taskRules,
} from "./task-list.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let list: TaskList;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  list = createTaskList(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const now = new Date("2026-11-23T09:30:00.000Z");
const secondsLater = (seconds: number) => new Date(now.getTime() + seconds * 1000);

const fulfil = (dueIn: number, name = "fulfil"): Task => ({
  kind: "fulfil",
  name,
  dueAt: secondsLater(dueIn).toISOString(),
});
const purge = (dueIn: number, attempt: number): Task => ({
  kind: "purge",
  name: `purge-application-1-${attempt}`,
  dueAt: secondsLater(dueIn).toISOString(),
  dataClass: "application",
  rule: "submitted",
  attempt,
});
const say = (orderId: string, ...tasks: Task[]) =>
  inTransaction(pool, (client) => listTasks(client, [{ subjectId: orderId, tasks }], now));

async function listed(orderId: string) {
  const { rows } = await pool.query<{ name: string; dueAt: Date; lookAt: Date }>(
    `select name, due_at as "dueAt", look_at as "lookAt" from duties where subject_id = $1 order by name`,
    [orderId],
  );
  return rows.map(({ name, dueAt, lookAt }) => [
    name,
    (dueAt.getTime() - now.getTime()) / 1000,
    (lookAt.getTime() - now.getTime()) / 1000,
  ]);
}

describe("the task list", () => {
  it("holds exactly the tasks last listed for an order, and leaves others alone", async () => {
    const [order, other] = [randomUUID(), randomUUID()];
    await say(other, fulfil(0));
    await say(order, fulfil(10, "a"), fulfil(20, "b"));
    await say(order, fulfil(25, "b"), fulfil(30, "c"));
    expect(await listed(order)).toEqual([
      ["b", 25, 25],
      ["c", 30, 30],
    ]);
    await say(order);
    expect(await listed(order)).toEqual([]);
    expect(await listed(other)).toEqual([["fulfil", 0, 0]]);
  });

  it("does not shorten the delay of a refused task that is listed again", async () => {
    const order = randomUUID();
    await say(order, fulfil(0));
    await list.postpone(order, "fulfil", now);
    await say(order, fulfil(0));
    expect(await listed(order)).toEqual([["fulfil", 0, 15]]);
  });

  it("leaves a task that is listed late to its job at first: it may be under way by now", async () => {
    const order = randomUUID();
    await say(order, fulfil(-30));
    expect(await listed(order)).toEqual([["fulfil", -30, 0]]);
    expect(await list.toLookAt(secondsLater(-1), 1_000)).not.toContainEqual(
      expect.objectContaining({ subjectId: order }),
    );
  });

  it("backs off failed tasks up to five minutes", async () => {
    const order = randomUUID();
    await say(order, fulfil(0));
    const waits: unknown[] = [];
    for (let tries = 0; tries < 24; tries++) {
      await list.postpone(order, "fulfil", now);
      if (tries % 4 === 3) waits.push((await listed(order))[0]?.[2]);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 300]);
  });

  it("retries a purge every ten seconds, however often it failed and whenever a failure is next recorded", async () => {
    const order = randomUUID();
    await say(order, purge(300, 7));
    expect(await listed(order)).toEqual([["purge-application-1-7", 300, 10]]);
    for (let tries = 0; tries < 20; tries++) await list.postpone(order, "purge-application-1-7", now);
    expect(await listed(order)).toEqual([["purge-application-1-7", 300, 10]]);
  });

  it("adds missing tasks and brings them forward, but never postpones", async () => {
    const order = randomUUID();
    await say(order, fulfil(100, "a"), fulfil(100, "b"));
    await list.addMissing(order, [fulfil(50, "a"), fulfil(200, "b"), fulfil(70, "c")], now);
    expect(await listed(order)).toEqual([
      ["a", 50, 50],
      ["b", 100, 100],
      ["c", 70, 70],
    ]);
  });

  it("removes resolved tasks, and waits for those that turned out to be due later", async () => {
    const order = randomUUID();
    await say(order, fulfil(0, "a"), fulfil(0, "b"));
    await list.settle(order, "a");
    await list.awaitDue(order, "b", secondsLater(40));
    expect(await listed(order)).toEqual([["b", 40, 40]]);
  });

  it("keeps a task that is being performed from the sweeps, unless they would not look at it yet", async () => {
    const order = randomUUID();
    await say(order, fulfil(0, "a"), fulfil(40, "b"));
    const times = { now, until: secondsLater(20), heldUntil: undefined };
    expect(await list.hold(order, "a", times)).toBe(true);
    expect(await list.hold(order, "b", times)).toBe(false);
    expect(await list.hold(order, "c", times)).toBe(false);
    expect(await listed(order)).toEqual([
      ["a", 0, 20],
      ["b", 40, 40],
    ]);
  });

  it("looks at a task that failed as soon as without an attempt to keep it that came late", async () => {
    const order = randomUUID();
    await say(order, fulfil(0));
    await list.postpone(order, "fulfil", now);
    const times = { now, until: secondsLater(120), heldUntil: undefined };
    expect(await list.hold(order, "fulfil", times)).toBe(false);
    expect(await listed(order)).toEqual([["fulfil", 0, 15]]);
  });

  it("is kept for longer by who keeps it, and not once it has failed", async () => {
    const order = randomUUID();
    await say(order, fulfil(0));
    const keep = (seconds: number, heldUntil?: Date) =>
      list.hold(order, "fulfil", { now, until: secondsLater(seconds), heldUntil });
    expect(await keep(20)).toBe(true);
    expect(await keep(30)).toBe(false);
    expect(await keep(30, secondsLater(20))).toBe(true);
    expect(await listed(order)).toEqual([["fulfil", 0, 30]]);
    await list.postpone(order, "fulfil", now);
    expect(await keep(40, secondsLater(30))).toBe(false);
    expect(await listed(order)).toEqual([["fulfil", 0, 15]]);
  });

  it("returns the longest waiting first, so none starves", async () => {
    const orders = [randomUUID(), randomUUID(), randomUUID()] as const;
    const longAgo = -1_000_000;
    await say(orders[0], fulfil(longAgo + 2));
    await say(orders[1], fulfil(longAgo));
    await say(orders[2], fulfil(longAgo + 1));
    const handedOut = async () => (await list.toLookAt(now, 2)).map(({ subjectId }) => subjectId);
    expect(await handedOut()).toEqual([orders[1], orders[2]]);
    await list.postpone(orders[1], "fulfil", now);
    expect(await handedOut()).toEqual([orders[2], orders[0]]);
    for (const order of orders) await say(order);
  });

  it("finds a late purge behind any number of other tasks that have waited longer", async () => {
    const order = randomUUID();
    const longAgo = Array.from({ length: 50 }, (_, n) => fulfil(-1_000_000, `old-${n}`));
    await say(order, ...longAgo, purge(-20, 1), purge(-5, 2));
    const since = secondsLater(-10);
    expect((await list.toLookAt(now, 50)).map(({ kind }) => kind)).not.toContain("purge");
    const late = (await list.latePurges(now, since, 10)).filter(({ subjectId }) => subjectId === order);
    expect(late.map(({ name }) => name)).toEqual(["purge-application-1-1"]);
    await say(order);
  });

  it("returns purges that are due or have failed, and no others", async () => {
    const [due, failed, early, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await say(due, purge(-1, 1));
    await say(failed, purge(300, 11));
    await say(early, purge(5, 1));
    await say(other, fulfil(-1));
    const open = (await list.openPurges(now, 100)).map(({ subjectId }) => subjectId);
    const ours = new Set<string>([due, failed, early, other]);
    expect(open.filter((orderId) => ours.has(orderId))).toEqual([due, failed]);
  });

  it("is not emptied by a process with older rules, which do not include the newer tasks", async () => {
    const [oldRules, newRules] = [taskRules, taskRules + 1];
    const [older, newer] = [createTaskList(pool, oldRules), createTaskList(pool, newRules)];
    const order = randomUUID();
    await say(order, fulfil(0, "known"));
    const sayAs = (rules: number, ...tasks: Task[]) =>
      inTransaction(pool, (client) => listTasks(client, [{ subjectId: order, tasks }], now, rules));
    await sayAs(newRules, fulfil(0, "known"), fulfil(5, "new"));
    // The old build follows the same event, or takes the new task's job, and derives no such task.
    await sayAs(oldRules, fulfil(60, "known"));
    await older.settle(order, "new");
    await older.awaitDue(order, "new", secondsLater(90));
    expect(await listed(order)).toEqual([
      ["known", 0, 0],
      ["new", 5, 5],
    ]);
    await newer.settle(order, "new");
    await sayAs(newRules);
    expect(await listed(order)).toEqual([]);
  });

  it("loses a new task to the old build if both have the same rules version (control)", async () => {
    const order = randomUUID();
    await say(order, fulfil(0, "known"), fulfil(5, "new"));
    await list.settle(order, "new");
    expect(await listed(order)).toEqual([["known", 0, 0]]);
    await say(order);
  });
});

describe("An order's jobs", () => {
  const opened = new Date(start);
  const correctedHistory: Parameters<typeof orderAfter>[0] = [
    ...historyTo.Confirmed,
    [
      {
        type: "ContactCorrected",
        data: { contactRef: uuid(201), previousContactRef: uuid(101), emailChanged: false },
      },
      52,
    ],
  ];
  const corrected = orderAfter(correctedHistory);

  it("are its tasks with their progress on the list", async () => {
    const settings = {
      purgeAfterSeconds: 5,
      unpaidExpiresAfterSeconds: 86_400,
      contactRetentionDays: 365,
      submissionRequestedWithinSeconds: 60,
    };
    const jobsOf = createOrderJobs({ pool, settings: () => settings, now: () => opened });
    const unlisted = await jobsOf(corrected);
    expect(unlisted.map(({ task }) => task.kind).sort()).toEqual(["destroyRecord", "mail", "submit"]);
    expect(unlisted.every(({ lookAt, tries }) => lookAt === null && tries === null)).toBe(true);

    const destroy = {
      kind: "destroyRecord",
      name: `destroy-${uuid(101)}`,
      dueAt: start,
      dataClass: "contact",
      ref: uuid(101),
    } as const;
    const submit = { kind: "submit", name: "submit-1", dueAt: start, attempt: 1 } as const;
    await inTransaction(pool, (client) =>
      listTasks(client, [{ subjectId: orderId, tasks: [destroy, submit] }], opened),
    );
    await list.postpone(orderId, "submit-1", opened);
    const jobs = new Map((await jobsOf(corrected)).map((job) => [job.task.name, job]));
    expect(jobs.get("submit-1")).toMatchObject({
      tries: 1,
      lookAt: new Date(opened.getTime() + 15_000).toISOString(),
    });
    expect(jobs.get(destroy.name)).toMatchObject({ tries: 0 });

    const data = {
      dataClass: "contact",
      recordRef: uuid(101),
      keyFingerprint: "ab".repeat(32),
      probe: "unreadable",
    } as const;
    const destroyed = orderAfter([...correctedHistory, [{ type: "ReplacedRecordPurged", data }, 53]]);
    expect((await jobsOf(destroyed)).map(({ task }) => task.kind)).not.toContain("destroyRecord");
  });
});

describe("Outstanding purges", () => {
  it("are listed longest due first, and no other tasks", async () => {
    await pool.query("truncate duties");
    const [order, other] = [randomUUID(), randomUUID()];
    const purge = { kind: "purge", dataClass: "application", rule: "submitted", attempt: 1 } as const;
    await list.addMissing(
      order,
      [{ ...purge, name: "purge-application-1", dueAt: "2026-11-23T09:31:00.000Z" }],
      now,
    );
    await list.addMissing(
      other,
      [
        { kind: "fulfil", name: "fulfil", dueAt: "2026-11-23T09:00:00.000Z" },
        {
          kind: "destroyRecord",
          dataClass: "contact",
          ref: randomUUID(),
          name: "destroy-1",
          dueAt: "2026-11-23T09:00:00.000Z",
        },
      ],
      now,
    );
    await list.postpone(other, "destroy-1", now);
    const owed = await outstandingPurges(pool)(10);
    expect(owed).toEqual([
      {
        subjectId: other,
        name: "destroy-1",
        kind: "destroyRecord",
        dueAt: "2026-11-23T09:00:00.000Z",
        tries: 1,
      },
      {
        subjectId: order,
        name: "purge-application-1",
        kind: "purge",
        dueAt: "2026-11-23T09:31:00.000Z",
        tries: 0,
      },
    ]);
    expect(await outstandingPurges(pool)(1)).toEqual(owed.slice(0, 1));
  });
});
