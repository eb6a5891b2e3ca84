import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { as, jarDecider, jarReading, put } from "../../testing/event-store/handler-fixture.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { createKurrentEventStore } from "../event-store/kurrent/kurrent-event-store.ts";
import { createCommandHandler } from "./command-handler.ts";

let fake: FakeEventStoreDb;
let store: EventStore;
beforeAll(async () => {
  fake = await startFakeEventStoreDb();
  store = createKurrentEventStore({ url: fake.url, timeoutsMs: { answer: 2000 } });
});
afterAll(async () => {
  await store.close();
  await fake.stop();
});

it("runs each of 20 commands once while answers are lost and appends refused", async () => {
  const handler = createCommandHandler({ store, decider: jarDecider, ...jarReading, random: Math.random });
  const done: unknown[] = [];
  for (let n = 0; n < 20; n++) {
    if (n % 2 === 0) fake.faults.losesAnswers = 1;
    else fake.faults.refusesAppends = 1;
    done.push(await handler.handle({ stream: "jar", command: put(n, n), metadata: as(`one-${n}`) }));
  }
  expect(done).toHaveLength(20);
  const coins = (await store.readStream("jar")).map(({ data }) => data.pence);
  expect(coins).toEqual(Array.from({ length: 20 }, (_, n) => [n, n]).flat());
});

it("would run some twice if retried under new ids (control)", async () => {
  const handler = createCommandHandler({ store, decider: jarDecider, ...jarReading, random: Math.random });
  await handler.handle({ stream: "jar-2", command: put(1), metadata: as("before") });
  const append = async () => {
    const there = await store.readStream("jar-2");
    const [event] = there.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    await store.append({ stream: "jar-2", expectedRevision: there.length - 1, events: event ? [event] : [] });
  };
  fake.faults.losesAnswers = 1;
  await append().catch(append);
  expect(await store.readStream("jar-2")).toHaveLength(3);
});
