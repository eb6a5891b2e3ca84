import { beforeEach, describe, expect, it } from "vitest";
import {
  as,
  JarIsSealed,
  jarDecider,
  jarHandler,
  jarReading,
  put,
  sealJar,
  withAppend,
} from "../../testing/event-store/handler-fixture.ts";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../testing/event-store/memory-event-store.ts";
import { eventMetadata } from "../event-store/event-metadata.ts";
import { beginning, type EventStore } from "../event-store/event-store.ts";
import { BrokenChain, seal } from "../event-store/hash-chain.ts";
import { UnknownEventType } from "../event-store/upcasting.ts";
import { createCommandHandler } from "./command-handler.ts";
import { CommandReused } from "./repeats.ts";

const stream = "jar-1";
let log: MemoryLog;
let store: EventStore;
beforeEach(() => {
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
});

describe("a command", () => {
  it("appends the decided events and returns them with state, revision and position", async () => {
    const result = await jarHandler(store).handle({ stream, command: put(5, 10), metadata: as("one") });
    const stored = await store.readStream(stream);
    expect(result).toEqual({
      events: [
        {
          event: { type: "CoinPut", data: { pence: 5 } },
          recorded: { eventId: stored[0]?.id, at: as("").at, revision: 0 },
        },
        {
          event: { type: "CoinPut", data: { pence: 10 } },
          recorded: { eventId: stored[1]?.id, at: as("").at, revision: 1 },
        },
      ],
      state: { total: 15, coins: 2, sealed: false, lastEventId: stored[1]?.id },
      revision: 1,
      position: stored[1]?.position,
      repeated: false,
    });
  });

  it("stores actor, time, reason and chain links with each event", async () => {
    const causationId = "7c9d4e0e-5a3c-4f1c-9a57-2d8a4ab0a001";
    await jarHandler(store).handle({ stream, command: put(5, 10), metadata: as("one"), causationId });
    const [first, second] = (await store.readStream(stream)).map(({ metadata }) =>
      eventMetadata.parse(metadata),
    );
    expect(first).toEqual({
      commandId: "one",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      actor: { kind: "customer", id: "someone" },
      correlationId: "request-1",
      causationId,
      schemaVersion: 1,
      at: "2026-11-21T09:30:00.000Z",
      previousHash: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(second?.previousHash).toBe(first?.hash);
  });

  it("derives event ids from stream, command and index alone", async () => {
    const ids = async (other: EventStore) => (await other.readStream(stream)).map(({ id }) => id);
    const elsewhere = createMemoryEventStore();
    await jarHandler(store).handle({ stream, command: put(5, 10), metadata: as("one") });
    await jarHandler(elsewhere).handle({
      stream,
      command: put(7, 8),
      metadata: as("one", "2027-01-01T00:00:00.000Z"),
    });
    expect(await ids(elsewhere)).toEqual(await ids(store));
    expect(new Set(await ids(store)).size).toBe(2);
    await jarHandler(store).handle({ stream: "jar-2", command: put(5, 10), metadata: as("one") });
    expect((await store.readStream("jar-2")).map(({ id }) => id)).not.toEqual(await ids(store));
  });

  it("writes nothing when refused", async () => {
    await jarHandler(store).handle({ stream, command: sealJar, metadata: as("one") });
    const refused = jarHandler(store).handle({ stream, command: put(1), metadata: as("two") });
    await expect(refused).rejects.toThrow(JarIsSealed);
    expect(await store.readStream(stream)).toHaveLength(1);
  });

  it("with nothing to do returns the current stream, also when repeated", async () => {
    const { position } = await jarHandler(store).handle({ stream, command: sealJar, metadata: as("one") });
    for (let n = 0; n < 2; n++) {
      const result = await jarHandler(store).handle({ stream, command: sealJar, metadata: as("two") });
      expect(result).toMatchObject({
        events: [],
        revision: 0,
        position,
        repeated: false,
        state: { sealed: true },
      });
    }
    expect(await store.readStream(stream)).toHaveLength(1);
    const none = await jarHandler(store).handle({ stream: "jar-2", command: put(), metadata: as("three") });
    expect(none).toMatchObject({ events: [], revision: "none", position: beginning });
  });
});

describe("a repeat", () => {
  it("gets the first result, even when the stream now forbids it", async () => {
    const first = await jarHandler(store).handle({ stream, command: put(5, 10), metadata: as("one") });
    await jarHandler(store).handle({ stream, command: put(1), metadata: as("two") });
    await jarHandler(store).handle({ stream, command: sealJar, metadata: as("three") });
    const again = await jarHandler(store).handle({
      stream,
      command: put(5, 10),
      metadata: as("one", "2027-01-01T00:00:00.000Z"),
    });
    expect(again).toEqual({ ...first, repeated: true });
    expect(await store.readStream(stream)).toHaveLength(4);
  });

  it("with another body is refused and writes nothing", async () => {
    await jarHandler(store).handle({ stream, command: put(5), metadata: as("one") });
    const other = jarHandler(store).handle({ stream, command: put(6), metadata: as("one") });
    await expect(other).rejects.toThrow(CommandReused);
    await expect(other).rejects.toMatchObject({ commandId: "one" });
    expect(await store.readStream(stream)).toHaveLength(1);
  });

  it("is compared by the caller's fingerprint while there is one", async () => {
    const handle = (fingerprint: string | null, coin: number) =>
      jarHandler(store).handle({
        stream,
        command: put(coin),
        metadata: as("one"),
        fingerprint: async () => fingerprint,
      });
    const first = await handle("aa", 5);
    expect(await handle("aa", 6)).toEqual({ ...first, repeated: true });
    await expect(handle("bb", 5)).rejects.toThrow(CommandReused);
    expect(await handle(null, 7)).toEqual({ ...first, repeated: true });
  });

  it("is not compared when the first had no fingerprint", async () => {
    const request = { stream, metadata: as("one") };
    const first = await jarHandler(store).handle({
      ...request,
      command: put(5),
      fingerprint: async () => null,
    });
    expect(await jarHandler(store).handle({ ...request, command: put(6) })).toEqual({
      ...first,
      repeated: true,
    });
  });

  it("is a different command under the same id in another stream", async () => {
    await jarHandler(store).handle({ stream, command: put(5), metadata: as("one") });
    const other = await jarHandler(store).handle({ stream: "jar-2", command: put(6), metadata: as("one") });
    expect(other.repeated).toBe(false);
  });
});

describe("a command that starts a stream", () => {
  it("is appended without reading", async () => {
    const blind: EventStore = {
      ...withAppend(store, (r) => store.append(r)),
      readStream: async () => expect.fail("was read"),
    };
    const result = await jarHandler(blind).handle({
      stream,
      command: put(5),
      metadata: as("one"),
      startsStream: true,
    });
    expect(result).toMatchObject({ revision: 0, repeated: false });
  });

  it("gets its first result if it started the stream before, and a new decision if another command did", async () => {
    const request = { stream, command: put(5), startsStream: true };
    const first = await jarHandler(store).handle({ ...request, metadata: as("one") });
    expect(await jarHandler(store).handle({ ...request, metadata: as("one") })).toEqual({
      ...first,
      repeated: true,
    });
    const second = await jarHandler(store).handle({ ...request, metadata: as("two") });
    expect(second).toMatchObject({ revision: 1, state: { total: 10 }, repeated: false });
    await jarHandler(store).handle({ stream, command: sealJar, metadata: as("three") });
    await expect(jarHandler(store).handle({ ...request, metadata: as("four") })).rejects.toThrow(JarIsSealed);
    const nothing = { stream, command: put(), metadata: as("five"), startsStream: true };
    await expect(jarHandler(store).handle(nothing)).rejects.toThrow(JarIsSealed);
  });
});

describe("an unreadable stream", () => {
  const tamper = (change: (events: MemoryLog["events"]) => void) => async () => {
    await jarHandler(store).handle({ stream, command: put(1, 2, 3), metadata: as("one") });
    await jarHandler(store).load(stream);
    change(log.events);
    await expect(jarHandler(store).load(stream)).rejects.toThrow(BrokenChain);
    const command = jarHandler(store).handle({ stream, command: put(4), metadata: as("two") });
    await expect(command).rejects.toThrow(BrokenChain);
    expect(log.events.filter(({ type }) => type === "CoinPut").length).toBeLessThanOrEqual(3);
  };

  it(
    "is detected when data was changed",
    tamper((events) => {
      const event = events[1];
      if (event) events[1] = { ...event, data: { pence: 2000 } };
    }),
  );

  it(
    "is detected when an event was removed",
    tamper((events) => {
      events.splice(1, 1);
    }),
  );

  it(
    "is detected when events were swapped",
    tamper((events) => {
      const [first, second] = events.splice(1, 2);
      if (first && second) events.push({ ...second, revision: 1 }, { ...first, revision: 2 });
    }),
  );

  it("stops at an event of an unknown type", async () => {
    await jarHandler(store).handle({ stream, command: put(1), metadata: as("one") });
    const { hash: previousHash, ...metadata } = eventMetadata.parse(
      (await store.readStream(stream))[0]?.metadata,
    );
    const strange = { id: "7c9d4e0e-5a3c-4f1c-9a57-2d8a4ab0a001", type: "CoinStolen", data: {}, metadata };
    await store.append({
      stream,
      expectedRevision: 0,
      events: [seal(strange, { stream, revision: 1, previousHash })],
    });
    await expect(jarHandler(store).load(stream)).rejects.toThrow(UnknownEventType);
  });

  it("is never started: an event type without a history is not written", async () => {
    const handler = createCommandHandler({
      store,
      decider: jarDecider,
      ...jarReading,
      eventTypes: { JarSealed: { version: 1 } },
      random: () => 0,
    });
    await expect(handler.handle({ stream, command: put(1), metadata: as("one") })).rejects.toThrow(
      UnknownEventType,
    );
    expect(await store.head()).toBe(beginning);
  });
});

describe("an unreadable event is not written", () => {
  it("when an event breaks its schema", async () => {
    const request = { stream, command: put(1, 0.5), metadata: as("one") };
    await expect(jarHandler(store).handle(request)).rejects.toThrow("expected int");
    expect(await store.head()).toBe(beginning);
  });

  it("when the time is not a UTC time", async () => {
    const request = { stream, command: put(1), metadata: as("one", "yesterday") };
    await expect(jarHandler(store).handle(request)).rejects.toThrow("Invalid ISO datetime");
    expect(await store.head()).toBe(beginning);
  });
});

it("upcasts old event shapes, with the chain over the data as first written", async () => {
  await jarHandler(store).handle({ stream, command: put(5), metadata: as("one") });
  const today = createCommandHandler({
    store,
    decider: jarDecider,
    eventTypes: {
      ...jarReading.eventTypes,
      CoinPut: { version: 2, upcasts: { 1: ({ pence }) => ({ pence: Number(pence) * 100 }) } },
    },
    parseEvent: jarReading.parseEvent,
    random: () => 0,
  });
  expect((await today.load(stream)).state.total).toBe(500);
  await today.handle({ stream, command: put(7), metadata: as("two") });
  const { state, revision, events } = await today.load(stream);
  expect({ total: state.total, revision, events: events.length }).toEqual({
    total: 507,
    revision: 1,
    events: 2,
  });
});

describe("commands on one stream at once, in one process", () => {
  it("take turns: each is decided on what was appended before, and none reads the stream", async () => {
    const appends: string[] = [];
    let reads = 0;
    const watched: EventStore = {
      ...withAppend(store, async (request) => {
        appends.push(String(request.expectedRevision));
        return store.append(request);
      }),
      readStream: async (...given) => {
        reads += 1;
        return store.readStream(...given);
      },
    };
    const handler = jarHandler(watched);
    await handler.handle({ stream, command: put(1), metadata: as("first") });
    reads = 0;
    const results = await Promise.all([
      handler.handle({ stream, command: put(2), metadata: as("second") }),
      handler.handle({ stream, command: put(4), metadata: as("third") }),
      handler.handle({ stream, command: put(4), metadata: as("third") }),
    ]);
    expect(results.map(({ state, repeated }) => [state.total, repeated])).toEqual([
      [3, false],
      [7, false],
      [7, true],
    ]);
    expect([appends, reads]).toEqual([["none", "0", "1"], 0]);
  });

  it("wait half a second at most for one whose append is not answered", async () => {
    const [reached, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isFirst = true;
    const silent = withAppend(store, async (request) => {
      if (!isFirst) return store.append(request);
      isFirst = false;
      reached.resolve();
      await answer.promise;
      return store.append(request);
    });
    const handler = jarHandler(silent);
    const waiting = handler.handle({ stream, command: put(1), metadata: as("silent") });
    await reached.promise;
    expect(await handler.handle({ stream, command: put(2), metadata: as("next") })).toMatchObject({
      revision: 0,
    });
    answer.resolve();
    expect(await waiting).toMatchObject({ revision: 1, state: { total: 3 } });
  });
});
