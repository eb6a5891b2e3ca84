import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, it, vi } from "vitest";
import { withDatabase } from "../../testing/postgres/test-server.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, surroundings, type TestSystem } from "../../testing/system/test-system.ts";

const seeEvent = (system: TestSystem, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);

/** A copy of a database without connections: the backup. */
async function copyOf(connectionString: string) {
  const server = inject("testServer");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const source = new URL(connectionString).pathname.slice(1);
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`create database ${name} template ${source}`);
  return {
    connectionString: withDatabase(server, name),
    drop: () => run(`drop database ${name} with (force)`),
  };
}

it("sends nothing twice and reopens nothing when an old database is restored", async () => {
  const around = surroundings();
  const { orderId, accepted, backup } = await liveThrough(around);
  await using restored = await openTestSystem(around, backup);
  expect((await restored.order(orderId)).phase).toBe("Confirmed");
  expect(await restored.deps.vault.recordsOf(orderId, "application")).toHaveLength(2);
  restored.skip(3_600);
  await restored.begin();
  await seeEvent(restored, orderId, "SensitiveDataPurged");
  expect(around.automation.sent).toHaveLength(2);
  expect([...around.automation.accepted.keys()]).toEqual(accepted);
  expect((await restored.order(orderId)).submission?.attempt).toBe(2);
  expect(await restored.deps.vault.recordsOf(orderId, "application")).toEqual([]);
});

/** An order's whole life: refused once, accepted at the second attempt, purged. The backup is from before the first. */
async function liveThrough(around: ReturnType<typeof surroundings>) {
  const first = await openTestSystem(around);
  around.automation.mood = "down";
  const before = await first.begin();
  const { orderId } = await placeAndPay(first.deps);
  await vi.waitFor(async () => expect((await first.order(orderId)).phase).toBe("Confirmed"), soon);
  await before.stop();
  await first.disconnect();
  const backup = await copyOf(first.database.connectionString);

  const second = await openTestSystem(around, first.database);
  around.automation.mood = "refuses";
  second.skip(60);
  await second.begin();
  await seeEvent(second, orderId, "SubmissionFailed");
  around.automation.mood = "well";
  second.skip(60);
  await seeEvent(second, orderId, "SensitiveDataPurged");
  await second.disconnect();
  await first.database.drop();
  return { orderId, backup, accepted: [...around.automation.accepted.keys()] };
}
