import { expect, it } from "vitest";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../testing/event-store/memory-event-store.ts";
import { anEvent } from "../../testing/event-store/store-fixture.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { confirmedBy } from "./confirmed-reads.ts";
import { guardEventStore, OtherLogAnswers } from "./guarded-event-store.ts";

/** A guard that has appended to two streams, the count of its confirmations, and a way to replace its log. */
async function guardedPair() {
  const log = createMemoryLog();
  let answering: EventStore = createMemoryEventStore({ log });
  const first = await append(answering, "first");
  const [bound] = log.events;
  const store: EventStore = {
    append: (request) => answering.append(request),
    readStream: (stream, from) => answering.readStream(stream, from),
    readStreamAndAt: async (stream, from, positions) => {
      const read = await answering.readStreamAndAt?.(stream, from, positions);
      return read ?? { events: [], at: [] };
    },
    readAll: (after, limit) => answering.readAll(after, limit),
    eventAt: (position) => answering.eventAt(position),
    follow: (options) => answering.follow(options),
    head: () => answering.head(),
    logId: () => answering.logId(),
    close: () => answering.close(),
  };
  const guard = guardEventStore({
    store,
    bound: { logId: log.id, newest: bound && { ...first, eventId: bound.id, logId: log.id } },
    onOther: () => undefined,
    onBack: () => undefined,
  });
  await append(guard, "second");
  let confirmations = 0;
  const confirm = () => {
    confirmations += 1;
    return guard.confirm();
  };
  const become = (events: MemoryLog["events"]) => {
    answering = createMemoryEventStore({ log: { ...createMemoryLog(), id: log.id, events: [...events] } });
  };
  return { store, guard, log, become, confirm, confirmations: () => confirmations };
}

const append = (store: EventStore, stream: string) =>
  store.append({ stream, expectedRevision: "none", events: [anEvent()] });

it("Streams are confirmed by the statements that read them", async () => {
  const { guard, confirm, confirmations } = await guardedPair();
  const read = () => Promise.all([guard.readStream("first"), guard.readStream("second")]);
  expect(await confirmedBy(confirm, read)).toMatchObject([{ length: 1 }, { length: 1 }]);
  expect(confirmations()).toBe(0);
});

it("What was read from a copy that lacks this process' newest event is not returned", async () => {
  const { guard, log, become, confirm } = await guardedPair();
  become(log.events.slice(0, 1));
  await expect(confirmedBy(confirm, () => guard.readStream("first"))).rejects.toThrow(OtherLogAnswers);
});

it("The log is confirmed afterwards where nothing was read, or the store cannot do it with the read", async () => {
  const { store, guard, confirm, confirmations } = await guardedPair();
  await confirmedBy(confirm, async () => undefined);
  expect(confirmations()).toBe(1);
  delete store.readStreamAndAt;
  await confirmedBy(confirm, () => guard.readStream("first"));
  expect(confirmations()).toBe(2);
});
