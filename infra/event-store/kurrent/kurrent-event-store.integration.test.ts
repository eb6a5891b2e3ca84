import { expect, it } from "vitest";
import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { startFakeEventStoreDb } from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { createKurrentEventStore } from "./kurrent-event-store.ts";

describeEventStoreContract("EventStoreDB's client on the fake server", async () => {
  const fake = await startFakeEventStoreDb();
  return { open: () => createKurrentEventStore({ url: fake.url }), dispose: () => fake.stop() };
});

const happened = (id: string) => ({ id, type: "Happened", data: {}, metadata: {} });

/** Programs that share the server, and their logs. */
async function twoLogs() {
  await using closing = new AsyncDisposableStack();
  const fake = await startFakeEventStoreDb();
  closing.defer(() => fake.stop());
  const [ours, others] = ["ours", "others"].map((name) => createKurrentEventStore({ url: fake.url, name }));
  if (!ours || !others) throw new Error("There are two.");
  closing.defer(() => others.close());
  closing.defer(() => ours.close());
  const running = closing.move();
  return { ours, others, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

// A server of Node takes a thousand reads that are cancelled, and 33 more a second; then it closes the connection.
it("keeps its connection through thousands of short reads", async () => {
  await using logs = await twoLogs();
  const { ours } = logs;
  await ours.append({ stream: "one", expectedRevision: "none", events: [happened(crypto.randomUUID())] });
  const { position } = await ours.append({
    ...{ stream: "one", expectedRevision: 0, events: [happened(crypto.randomUUID())] },
  });
  for (let round = 0; round < 150; round++) {
    const reads = Array.from({ length: 10 }, async (_, nth) =>
      nth % 2 === 0 ? await ours.head() : (await ours.eventAt(position))?.position,
    );
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 10 }, () => position));
  }
});

it("finds its events among many of other programs", async () => {
  await using logs = await twoLogs();
  const { ours, others } = logs;
  const foreign = async (stream: string) => {
    const events = Array.from({ length: 300 }, () => happened(crypto.randomUUID()));
    await others.append({ stream, expectedRevision: "none", events });
  };
  const own = async (stream: string) =>
    (await ours.append({ stream, expectedRevision: "none", events: [happened(crypto.randomUUID())] }))
      .position;
  await foreign("a");
  const first = await own("one");
  await foreign("b");
  const second = await own("two");
  const third = await own("three");
  await foreign("c");
  const read = async (after: string, limit: number) =>
    (await ours.readAll(after, limit)).map(({ position }) => position);
  expect(await ours.head()).toBe(third);
  expect(await read("", 10)).toEqual([first, second, third]);
  expect(await read("", 1)).toEqual([first]);
  expect(await read(first, 1)).toEqual([second]);
  expect(await read(first, 2)).toEqual([second, third]);
  expect(await read(third, 5)).toEqual([]);
});
