import pg from "pg";
import { expect, it, vi } from "vitest";
import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { anEvent, aStream, openPostgresSubject } from "../../../testing/event-store/store-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { createPostgresEventStore } from "./postgres-event-store.ts";

describeEventStoreContract("Postgres", openPostgresSubject);

it("reads a stream together with the events at some positions, its own among them", async () => {
  const subject = await openPostgresSubject();
  const store = subject.open();
  const [one, other] = [aStream(), aStream()];
  const happened = ["A", "B"].map((type) => anEvent(type));
  const { position } = await store.append({ stream: one, expectedRevision: "none", events: happened });
  const elsewhere = await store.append({ stream: other, expectedRevision: "none", events: [anEvent("C")] });
  const never = elsewhere.position.replace(/^0/, "1");
  const read = await store.readStreamAndAt?.(one, 1, [position, elsewhere.position, never]);
  expect(read?.events).toEqual(await store.readStream(one, 1));
  expect(read?.at.map(({ type }) => type).toSorted()).toEqual(["B", "C"]);
  await store.close();
  await subject.dispose();
});

it("reads the streams that are asked for at once with one statement, each from its own revision", async () => {
  const { connectionString, drop } = await testDatabase();
  const pool = new pg.Pool({ connectionString });
  const store = createPostgresEventStore({ pool, connectionString });
  const [one, other] = [aStream(), aStream()];
  for (const stream of [one, other])
    await store.append({
      stream,
      expectedRevision: "none",
      events: ["A", "B", "C"].map((type) => anEvent(type)),
    });
  const query = vi.spyOn(pool, "query");
  const [all, rest, end, none] = await Promise.all([
    store.readStream(one),
    store.readStream(other, 1),
    store.readStream(one, 2),
    store.readStream(aStream()),
  ]);
  expect(query).toHaveBeenCalledOnce();
  expect([all, rest, end, none].map((events) => events.map(({ type }) => type).join(""))).toEqual([
    ...["ABC", "BC", "C", ""],
  ]);
  await store.close();
  await pool.end();
  await drop();
});

it("gives up reading many events at the pool's time limit, and then reads them again", async () => {
  const { connectionString, drop } = await testDatabase();
  const pool = new pg.Pool({ connectionString, query_timeout: 1_000 });
  const store = createPostgresEventStore({ pool, connectionString });
  await store.append({ stream: aStream(), expectedRevision: "none", events: [anEvent("Kept")] });
  const other = new pg.Client({ connectionString });
  await other.connect();
  await other.query("begin; lock table events in access exclusive mode");
  await expect(store.readAll("", 1_000)).rejects.toThrow("Query read timeout");
  await other.query("rollback");
  const types = async () => (await store.readAll("", 1_000)).map(({ type }) => type);
  expect(await types()).toEqual(["Kept"]);
  await pool.query("alter table events rename to moved");
  await expect(types()).rejects.toThrow(expect.objectContaining({ code: "42P01" }));
  await pool.query("alter table moved rename to events");
  expect(await types()).toEqual(["Kept"]);
  await Promise.all([other.end(), store.close()]);
  await pool.end();
  await drop();
});
