import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { anEvent, aStream } from "../../testing/event-store/store-fixture.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { beginning, type EventStore, type StoredEvent } from "./event-store.ts";
import { createKurrentEventStore } from "./kurrent/kurrent-event-store.ts";
import { openEventStore } from "./open-event-store.ts";

let fake: FakeEventStoreDb;
let store: EventStore;
let pool: Pool;
const nowhere = "postgres://nobody:none@127.0.0.1:9/none";
beforeEach(async () => {
  fake = await startFakeEventStoreDb();
  store = createKurrentEventStore({ url: fake.url, mostQueued: 10 });
  pool = createPool(nowhere);
});
afterEach(async () => {
  await store.close();
  await fake.stop();
  await pool.end();
});

const happened = (count: number) => ({
  stream: aStream(),
  expectedRevision: "none" as const,
  events: Array.from({ length: count }, () => anEvent()),
});

it("follows a log longer than its queue, each event once", async () => {
  for (let n = 0; n < 6; n++) await store.append(happened(40));
  const stop = new AbortController();
  const seen: StoredEvent[] = [];
  for await (const events of store.follow({ after: beginning, signal: stop.signal, batchSize: 7 })) {
    // While nothing is taken, the rest waits at the server.
    if (seen.length === 0) await expect.poll(() => fake.open()).toBe(0);
    seen.push(...events);
    if (seen.length >= 240) stop.abort();
  }
  expect(seen).toEqual(await store.readAll(beginning, 1000));
  expect(fake.starts().length).toBeGreaterThan(1);
});

it("refuses an append that is too large for this server, and writes nothing", async () => {
  fake.faults.mostBytes = 200;
  const request = happened(3);
  await expect(store.append(request)).rejects.toThrow("no append of more than 200 bytes");
  expect(await store.readStream(request.stream)).toEqual([]);
});

it("gives the log one id, however many processes ask at once", async () => {
  const stores = Array.from({ length: 6 }, () => createKurrentEventStore({ url: fake.url }));
  const ids = await Promise.all(stores.map((one) => one.logId()));
  expect(new Set(ids).size).toBe(1);
  await Promise.all(stores.map((one) => one.close()));
});

it("opens at EVENTSTORE_URL once the server is up", async () => {
  const opened = await openEventStore({ url: fake.url, pool, connectionString: nowhere });
  expect(await opened.logId()).toBe(await store.logId());
  await opened.close();
});

it("tells the operator that the server refuses us or is down", async () => {
  const options = { url: fake.url, pool, connectionString: nowhere, patienceMs: 1 };
  fake.faults.deniesReads = true;
  await expect(openEventStore(options)).rejects.toThrow("refuses us (AccessDeniedError)");
  await fake.stop();
  await expect(openEventStore(options)).rejects.toThrow("nothing listens there: start the server");
  await expect(openEventStore({ ...options, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});

it("finds no event at a position between events", async () => {
  const { position } = await store.append(happened(1));
  const [commit, prepare] = position.split("-");
  expect(await store.eventAt(position)).toBeDefined();
  expect(await store.eventAt(`${commit}-${prepare?.replace(/.$/, "f")}`)).toBeUndefined();
  expect(await store.eventAt(`${"f".repeat(15)}0-${"f".repeat(15)}0`)).toBeUndefined();
});
