import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { createTaskList, outstandingPurges } from "./task-list.ts";

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

it("lists purges, longest due first, and no other tasks", async () => {
  const list = createTaskList(pool);
  const now = new Date("2026-11-21T09:30:00.000Z");
  const [order, other] = [randomUUID(), randomUUID()];
  const purge = { kind: "purge", dataClass: "application", rule: "submitted", attempt: 1 } as const;
  await list.addMissing(
    order,
    [{ ...purge, name: "purge-application-1", dueAt: "2026-11-21T09:31:00.000Z" }],
    now,
  );
  await list.addMissing(
    other,
    [
      { kind: "fulfil", name: "fulfil", dueAt: "2026-11-21T09:00:00.000Z" },
      {
        kind: "destroyRecord",
        dataClass: "contact",
        ref: randomUUID(),
        name: "destroy-1",
        dueAt: "2026-11-21T09:00:00.000Z",
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
      dueAt: "2026-11-21T09:00:00.000Z",
      tries: 1,
    },
    {
      subjectId: order,
      name: "purge-application-1",
      kind: "purge",
      dueAt: "2026-11-21T09:31:00.000Z",
      tries: 0,
    },
  ]);
  expect(await outstandingPurges(pool)(1)).toEqual(owed.slice(0, 1));
});
