import { randomUUID } from "node:crypto";
import {
  BACKWARDS,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeEventStoreDb, startFakeEventStoreDb } from "./kurrent-peer.ts";

// The fake server answers as observed on a server 23.10.8. Without credentials the client uses its batch stream to
// append.

let fake: FakeEventStoreDb;
let client: EventStoreDBClient;
beforeAll(async () => {
  fake = await startFakeEventStoreDb();
  client = EventStoreDBClient.connectionString(fake.url);
});
afterAll(() => fake.stop());

const credentials = { username: "nobody", password: "none" };
const anEvent = (n = 0) => jsonEvent({ id: randomUUID(), type: "Happened", data: { n }, metadata: { n } });

describe.each([
  ["a batch stream", {}],
  ["a single call", { credentials }],
])("an append by %s", (_, by) => {
  it("returns the revision and position of the last event", async () => {
    const stream = randomUUID();
    const options = { ...by, expectedRevision: NO_STREAM } as const;
    const { nextExpectedRevision, position } = await client.appendToStream(
      stream,
      [anEvent(), anEvent()],
      options,
    );
    const last = fake.log.stream(stream)[1];
    expect(nextExpectedRevision).toBe(1n);
    expect(position).toEqual({ commit: BigInt(last?.commit ?? -1), prepare: BigInt(last?.prepare ?? -1) });
  });

  it("returns the actual revision when it is unexpected", async () => {
    const stream = randomUUID();
    const missing = client.appendToStream(stream, anEvent(), { ...by, expectedRevision: 3n });
    await expect(missing).rejects.toMatchObject({ expectedVersion: 3n, actualVersion: "no_stream" });
    await client.appendToStream(stream, [anEvent(), anEvent()], by);
    const taken = client.appendToStream(stream, anEvent(), { ...by, expectedRevision: NO_STREAM });
    await expect(taken).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(taken).rejects.toMatchObject({ expectedVersion: "no_stream", actualVersion: 1n });
  });

  it("reports success for known ids at their revision, whatever the data, and writes nothing", async () => {
    const stream = randomUUID();
    const event = anEvent(1);
    const options = { ...by, expectedRevision: NO_STREAM } as const;
    const first = await client.appendToStream(stream, event, options);
    expect(await client.appendToStream(stream, { ...event, data: { n: 2 } }, options)).toEqual(first);
    const mixed = client.appendToStream(stream, [event, anEvent()], options);
    await expect(mixed).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect(fake.log.stream(stream)).toHaveLength(1);
    const later = await client.appendToStream(stream, event, { ...by, expectedRevision: 0n });
    expect(later.nextExpectedRevision).toBe(1n);
  });
});

it("reads a stream and everything backwards from the end", async () => {
  const stream = randomUUID();
  await client.appendToStream(stream, [anEvent(1), anEvent(2)], { credentials });
  const seen: unknown[] = [];
  for await (const { event } of client.readStream(stream, { direction: BACKWARDS, fromRevision: "end" }))
    seen.push(event?.data);
  expect(seen).toEqual([{ n: 2 }, { n: 1 }]);
  const newest = client.readAll({ direction: BACKWARDS, fromPosition: "end", maxCount: 1 });
  for await (const { event } of newest) expect(event?.data).toEqual({ n: 2 });
});

it("refuses to read from inside a record, and has no events beyond the end", async () => {
  const { position } = await client.appendToStream(randomUUID(), anEvent(), { credentials });
  const at = position ?? expect.fail("no position");
  const read = async (by: bigint) => {
    let count = 0;
    const fromPosition = { commit: at.commit + by, prepare: at.prepare + by };
    for await (const _ of client.readAll({ fromPosition })) count += 1;
    return count;
  };
  expect(await read(0n)).toBe(1);
  expect(await read(1_000_000n)).toBe(0);
  await expect(read(-1n)).rejects.toThrow("inside a record");
});
