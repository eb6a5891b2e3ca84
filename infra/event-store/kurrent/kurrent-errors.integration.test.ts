import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { EventStoreDBClient } from "@eventstore/db-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followUntil } from "../../../testing/event-store/contract-following.ts";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { anEvent, aStream } from "../../../testing/event-store/store-fixture.ts";
import { patienceMs, soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import {
  beginning,
  type EventStore,
  EventStoreUnreachable,
  OutcomeUnknown,
  StoreBusy,
} from "../event-store.ts";
import { BrokenChain, verifyStream } from "../hash-chain.ts";
import { createKurrentEventStore } from "./kurrent-event-store.ts";

const timeoutsMs = { turn: patienceMs, answer: 4000, read: 4000, follow: 500 };
let folder: string;
let fake: FakeEventStoreDb;
let store: EventStore;
beforeEach(async () => {
  folder = temporaryFolder("peer");
  fake = await startFakeEventStoreDb({ file: join(folder, "log") });
  store = createKurrentEventStore({ url: fake.url, timeoutsMs });
});
afterEach(async () => {
  await store.close();
  await fake.stop();
});

const start = (stream: string, ...types: string[]) => ({
  stream,
  expectedRevision: "none" as const,
  events: types.map((type) => anEvent(type)),
});

/** Appends this many single events, retrying each at the same revision until it is written. */
async function writeAll(count: number, stream = aStream()): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const event = anEvent("Written", { n });
    const request = { stream, expectedRevision: n === 0 ? ("none" as const) : n - 1, events: [event] };
    while ((await store.readStream(stream, n)).length === 0) await store.append(request).catch(passOver);
    ids.push(event.id);
  }
  return ids;
}

const passOver = (error: unknown) => expect(error).toBeInstanceOf(OutcomeUnknown);

const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id);

/** Events a subscription of the bare client receives until it has been quiet for a while. */
async function naively(act: () => Promise<unknown>): Promise<string[]> {
  const client = EventStoreDBClient.connectionString(fake.url);
  const seen: string[] = [];
  const subscription = client.subscribeToAll();
  subscription.on("error", () => undefined);
  subscription.on("data", ({ event }) => {
    if (event?.streamId.startsWith("certificates.")) seen.push(event.id);
  });
  await new Promise<void>((done) => subscription.once("caughtUp", done));
  await act();
  let before = -1;
  await vi.waitFor(
    () => {
      const quiet = seen.length === before;
      before = seen.length;
      expect(quiet).toBe(true);
    },
    { ...soon, interval: 300 },
  );
  await subscription.unsubscribe();
  return seen;
}

describe("an append", () => {
  it("lost after writing is unknown, and is not written twice", async () => {
    const request = start(aStream(), "One");
    fake.faults.losesAnswers = 1;
    await expect(store.append(request)).rejects.toThrow(OutcomeUnknown);
    await expect(store.append(request)).rejects.toThrow("was expected at none");
    expect(await store.readStream(request.stream)).toHaveLength(1);
  });

  it("would be written twice at the stream's current revision (control)", async () => {
    const request = start(aStream(), "One");
    fake.faults.losesAnswers = 1;
    await expect(store.append(request)).rejects.toThrow(OutcomeUnknown);
    await store.append({ ...request, expectedRevision: 0 });
    expect(await store.readStream(request.stream)).toHaveLength(2);
  });

  it("lost before writing is unknown, and may be sent again unchanged", async () => {
    const request = start(aStream(), "One");
    fake.faults.refusesAppends = 1;
    await expect(store.append(request)).rejects.toThrow(OutcomeUnknown);
    expect((await store.append(request)).revision).toBe(0);
  });

  it("to a frozen server times out as unknown, and reads report it unreachable", async () => {
    await store.append(start(aStream(), "Before"));
    fake.faults.freeze(true);
    await expect(store.append(start(aStream(), "During"))).rejects.toThrow(OutcomeUnknown);
    await expect(store.readStream("any")).rejects.toThrow(EventStoreUnreachable);
    await expect(store.head()).rejects.toThrow(EventStoreUnreachable);
    fake.faults.freeze(false);
    await writeAll(1);
  });

  it("waits for its turn when the server is slow, and all succeed", async () => {
    fake.faults.slowMs = 5;
    const streams = Array.from({ length: 200 }, () => aStream());
    await Promise.all(streams.map((stream) => store.append(start(stream, "One", "Two"))));
    expect(await store.readAll(beginning, 1000)).toHaveLength(400);
  });

  it("after the store closed is busy, not unknown: nothing was sent", async () => {
    const other = createKurrentEventStore({ url: fake.url });
    await other.close();
    await expect(other.append(start(aStream(), "One"))).rejects.toThrow(StoreBusy);
    expect((await store.append(start(aStream(), "One"))).revision).toBe(0);
  });
});

describe("a follower misses nothing and repeats nothing when", () => {
  const acts: [string, (fake: FakeEventStoreDb) => void][] = [
    ["its subscription breaks between two events", ({ faults }) => faults.cutAfter(3)],
    ["it is dropped for being slow", (fake) => fake.dropSubscriptions()],
    ["its subscription dies silently", (fake) => fake.silenceSubscriptions()],
  ];

  it.each(acts)("%s", async (_, act) => {
    const following = followUntil(store, beginning, (seen) => seen.length >= 30);
    const written = await writeAll(10);
    act(fake);
    written.push(...(await writeAll(10)));
    act(fake);
    written.push(...(await writeAll(10)));
    expect(idsOf(await following)).toEqual(written);
  });

  it.each(acts)("%s; a bare subscription would lose events (control)", async (_, act) => {
    const seen = await naively(async () => {
      act(fake);
      await writeAll(10);
    });
    expect(seen.length).toBeLessThan(10);
  });

  it("events it has seen are sent again after a reconnect", async () => {
    fake.faults.repeats = 7;
    const following = followUntil(store, beginning, (seen) => seen.length >= 20);
    const written = await writeAll(10);
    fake.cutSubscriptions();
    written.push(...(await writeAll(10)));
    expect(idsOf(await following)).toEqual(written);
  });

  it("events it has seen are sent again; a bare subscription would repeat them (control)", async () => {
    await writeAll(10);
    fake.faults.repeats = 7;
    const client = EventStoreDBClient.connectionString(fake.url);
    const seen: string[] = [];
    for (let n = 0; n < 2; n++) {
      const last = fake.log.records.at(-1);
      const fromPosition = { commit: BigInt(last?.commit ?? 0), prepare: BigInt(last?.prepare ?? 0) };
      const subscription = client.subscribeToAll({ fromPosition });
      subscription.on("data", ({ event }) => seen.push(event?.id ?? ""));
      await new Promise<void>((done) => subscription.once("caughtUp", done));
      await subscription.unsubscribe();
    }
    expect(new Set(seen).size).toBeLessThan(seen.length);
  });

  it("the server restarts, which only an error shows", async () => {
    const troubles: unknown[] = [];
    const own = createKurrentEventStore({ url: fake.url, timeoutsMs, onTrouble: (e) => troubles.push(e) });
    const logId = await own.logId();
    const following = followUntil(own, beginning, (seen) => seen.length >= 20);
    const written = await writeAll(10);
    const { port } = fake;
    await fake.stop();
    await expect(own.append(start(aStream(), "During"))).rejects.toThrow(OutcomeUnknown);
    fake = await startFakeEventStoreDb({ file: join(folder, "log"), port });
    await vi.waitFor(() => store.head(), soon);
    written.push(...(await writeAll(10)));
    expect(idsOf(await following)).toEqual(written);
    expect(await own.logId()).toBe(logId);
    expect(troubles).not.toEqual([]);
    await own.close();
  });
});

it("resumes at the last checkpoint, past events of other programs", async () => {
  const others = createKurrentEventStore({ url: fake.url, name: "others" });
  await writeAll(1);
  const following = followUntil(store, beginning, (seen) => seen.length >= 2);
  for (let n = 0; n < 40; n++)
    await others.append({ ...start(aStream()), events: Array.from({ length: 20 }, () => anEvent()) });
  await expect.poll(() => fake.starts().length).toBeGreaterThan(0);
  fake.cutSubscriptions();
  await vi.waitFor(() => expect(fake.starts().at(-1)).toBeGreaterThan(300), soon);
  await writeAll(1);
  expect((await following).length).toBe(2);
  expect(await others.readAll(beginning, 1000)).toHaveLength(800);
  await others.close();
});

it("keeps acknowledged events over a restart, and drops a line cut off by a crash", async () => {
  const written = await writeAll(5);
  const { port } = fake;
  await fake.stop();
  appendFileSync(join(folder, "log"), '[{"id":"half');
  fake = await startFakeEventStoreDb({ file: join(folder, "log"), port });
  await vi.waitFor(() => store.head(), soon);
  expect(idsOf(await store.readAll(beginning, 100))).toEqual(written);
  expect((await writeAll(2)).length).toBe(2);
});

it("delivers another program's event as unverifiable, and reads on beyond it", async () => {
  const client = EventStoreDBClient.connectionString(fake.url);
  const foreign = {
    id: anEvent().id,
    type: "Foreign",
    contentType: "application/json",
    data: {},
    metadata: {},
  } as const;
  await client.appendToStream("certificates.foreign", foreign);
  await client.dispose();
  const [ours] = await writeAll(1);
  const [strange, after] = await store.readAll(beginning, 10);
  expect(strange).toMatchObject({ id: foreign.id, stream: "foreign", data: {}, metadata: {} });
  expect(() => verifyStream("foreign", strange ? [strange] : [])).toThrow(BrokenChain);
  expect(after?.id).toBe(ours);
  const followed = await followUntil(store, beginning, (seen) => seen.length === 2);
  expect(idsOf(followed)).toEqual([foreign.id, ours]);
});
