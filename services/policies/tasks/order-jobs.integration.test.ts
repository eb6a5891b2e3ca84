import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { historyTo, orderAfter, orderId, start, uuid } from "../../../testing/domain/order-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { createOrderJobs, createTaskList, listTasks } from "./task-list.ts";

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

const now = new Date(start);
const correctedHistory: Parameters<typeof orderAfter>[0] = [
  ...historyTo.Confirmed,
  [{ type: "ContactCorrected", data: { contactRef: uuid(201), previousContactRef: uuid(101) } }, 52],
];
const corrected = orderAfter(correctedHistory);

test("An order's jobs are its tasks with their progress on the list", async () => {
  const settings = {
    purgeAfterSeconds: 5,
    unpaidExpiresAfterSeconds: 86_400,
    contactRetentionDays: 365,
    submissionRequestedWithinSeconds: 60,
  };
  const jobsOf = createOrderJobs({ pool, settings: () => settings, now: () => now });
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
    listTasks(client, [{ subjectId: orderId, tasks: [destroy, submit] }], now),
  );
  await createTaskList(pool).postpone(orderId, "submit-1", now);
  const jobs = new Map((await jobsOf(corrected)).map((job) => [job.task.name, job]));
  expect(jobs.get("submit-1")).toMatchObject({
    tries: 1,
    lookAt: new Date(now.getTime() + 15_000).toISOString(),
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
