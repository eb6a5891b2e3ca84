import { expect, it } from "vitest";
import {
  beginning,
  type EventStore,
  type Position,
  type StoredEvent,
} from "../../infra/event-store/event-store.ts";
import { anEvent, aStream, type ContractSubject } from "./store-fixture.ts";

/** Follows until `enough` is true, then aborts; returns the events in order. */
export async function followUntil(
  store: EventStore,
  after: Position,
  enough: (seen: readonly StoredEvent[]) => boolean,
  batchSize = 50,
): Promise<StoredEvent[]> {
  const stop = new AbortController();
  const seen: StoredEvent[] = [];
  for await (const events of store.follow({ after, signal: stop.signal, batchSize })) {
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThanOrEqual(batchSize);
    seen.push(...events);
    if (enough(seen)) stop.abort();
  }
  return seen;
}

const writers = 16;
const appendsEach = 12;

/** The following part of the contract. Writers on separate stores act as several processes. */
export function describeFollowing(subject: () => ContractSubject, the: () => EventStore): void {
  it("shows a follower every event once, in order, while 16 writers append", async () => {
    const after = await the().head();
    const stores = Array.from({ length: writers }, () => subject().open());
    const total = writers * appendsEach * 2;
    const following = followUntil(the(), after, (seen) => seen.length >= total);
    const written = await Promise.all(stores.map((store) => appendMany(store)));
    const seen = await following;
    expect(seen.map(({ position }) => position)).toEqual(seen.map(({ position }) => position).toSorted());
    expect(seen.map(({ id }) => id).toSorted()).toEqual(written.flat().toSorted());
    expect(seen).toEqual(await the().readAll(after, total + 1));
    await Promise.all(stores.map((store) => store.close()));
  });

  it("follows from any position, including the beginning and the newest", async () => {
    const stream = aStream();
    const events = ["A", "B", "C"].map((type) => anEvent(type));
    await the().append({ stream, expectedRevision: "none", events });
    const [first] = await the().readStream(stream);
    const fromFirst = await followUntil(the(), first?.position ?? "", (seen) => seen.length >= 2);
    expect(fromFirst.map(({ type }) => type)).toEqual(["B", "C"]);
    const all = await the().readAll(beginning, 100_000);
    expect(await followUntil(the(), beginning, (seen) => seen.length >= all.length)).toEqual(all);
  });

  it("wakes a waiting follower for each append", async () => {
    const stop = new AbortController();
    const batches = the()
      .follow({ after: await the().head(), signal: stop.signal })
      [Symbol.asyncIterator]();
    for (const type of ["One", "Two", "Three"]) {
      const next = batches.next();
      await the().append({ stream: aStream(), expectedRevision: "none", events: [anEvent(type)] });
      expect((await next).value?.map((event: StoredEvent) => event.type)).toEqual([type]);
    }
    stop.abort();
    expect(await batches.next()).toEqual({ value: undefined, done: true });
  });

  it("ends a waiting follower when its signal aborts, and at once if aborted before", async () => {
    const stop = new AbortController();
    const after = await the().head();
    const waiting = the().follow({ after, signal: stop.signal })[Symbol.asyncIterator]().next();
    stop.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    const late = the().follow({ after: beginning, signal: stop.signal })[Symbol.asyncIterator]();
    expect(await late.next()).toEqual({ value: undefined, done: true });
  });

  it("ends its followers and refuses appends once closed", async () => {
    const store = subject().open();
    const signal = new AbortController().signal;
    const waiting = store
      .follow({ after: await store.head(), signal })
      [Symbol.asyncIterator]()
      .next();
    await store.close();
    expect(await waiting).toEqual({ value: undefined, done: true });
    const late = store.append({ stream: aStream(), expectedRevision: "none", events: [anEvent()] });
    await expect(late).rejects.toThrow("closed");
  });

  it("refuses to follow from an invalid position", async () => {
    const strange = the().follow({ after: "C:12/P:12", signal: new AbortController().signal });
    await expect(strange[Symbol.asyncIterator]().next()).rejects.toThrow(RangeError);
  });
}

async function appendMany(store: EventStore): Promise<string[]> {
  const stream = aStream();
  const ids: string[] = [];
  for (let n = 0; n < appendsEach; n++) {
    const events = [anEvent("Written", { n }), anEvent("Written", { n })];
    await store.append({ stream, expectedRevision: n === 0 ? "none" : n * 2 - 1, events });
    ids.push(...events.map(({ id }) => id));
  }
  return ids;
}
