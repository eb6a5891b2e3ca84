import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followUntil } from "../../testing/event-store/contract-following.ts";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { anEvent, aStream } from "../../testing/event-store/store-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { freePort } from "../process/free-port.ts";
import { beginning, type EventStore, EventStoreUnreachable, OutcomeUnknown } from "./event-store.ts";
import { shareClient } from "./kurrent/kurrent-client.ts";
import { createKurrentEventStore } from "./kurrent/kurrent-event-store.ts";

// One node of three, the others gone. One of the client's promises rejects unhandled, which would fail the whole run.

let fake: FakeEventStoreDb;
let url: string;
let store: EventStore;
let troubles: unknown[];
beforeEach(async () => {
  fake = await startFakeEventStoreDb();
  const ports = [fake.port, await freePort(), await freePort()];
  url = `esdb://${ports.map((port) => `127.0.0.1:${port}`).join(",")}?tls=false&nodePreference=leader`;
  troubles = [];
  store = createKurrentEventStore({ url, onTrouble: (error) => troubles.push(error) });
});
afterEach(async () => {
  await store.close();
  await fake.stop();
});

const append = (stream = aStream()) =>
  store.append({ stream, expectedRevision: "none", events: [anEvent("Written")] });

function loseLeader(): void {
  fake.faults.leaderless = true;
  fake.cutSubscriptions();
}

describe("A cluster without a leader", () => {
  it("makes followers wait, and they miss nothing", async () => {
    const followers = Array.from({ length: 4 }, () =>
      followUntil(store, beginning, (seen) => seen.length >= 2),
    );
    await append();
    await vi.waitFor(() => expect(fake.open()).toBe(4), soon);
    loseLeader();
    await expect(append()).rejects.toThrow(OutcomeUnknown);
    await vi.waitFor(() => expect(troubles.join()).toContain("cannot be reached"), soon);
    await expect.poll(() => troubles.some(isUndiscovered), soon).toBe(true);
    fake.faults.leaderless = false;
    await vi.waitFor(() => append(), soon);
    const seen = await Promise.all(followers);
    expect(seen.map((events) => events.length)).toEqual([2, 2, 2, 2]);
  });

  it("fails each read as unreachable, never as a missing event", async () => {
    const { position } = await append();
    loseLeader();
    for (let n = 0; n < 2; n++) {
      await expect(store.eventAt(position)).rejects.toThrow(EventStoreUnreachable);
      await expect(store.readStream("any")).rejects.toThrow(EventStoreUnreachable);
      await expect(store.head()).rejects.toThrow(EventStoreUnreachable);
    }
    fake.faults.leaderless = false;
    await vi.waitFor(async () => expect(await store.eventAt(position)).toBeDefined(), soon);
  });

  it("does not end the process when a call fails while another looks for the leader", async () => {
    await append();
    fake.faults.slowMs = 300;
    const slow = [append(), append(), append()].map((appending) =>
      appending.catch((error: unknown) => error),
    );
    fake.faults.losesAnswers = slow.length;
    await expect.poll(() => fake.log.records.length, soon).toBeGreaterThan(slow.length);
    fake.faults.leaderless = true;
    await expect(store.head()).rejects.toThrow(EventStoreUnreachable);
    const looking = store.head().catch((error: unknown) => error);
    for (const outcome of await Promise.all(slow)) expect(outcome).toBeInstanceOf(OutcomeUnknown);
    expect(await looking).toBeInstanceOf(EventStoreUnreachable);
  });
});

const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && String(error.cause).includes("Failed to discover");

it("An append that starts as its channel closes fails instead of hanging", async () => {
  const { client, credentials, release } = shareClient(url);
  const subscription = client.subscribeToAll();
  const failed = new Promise<unknown>((done) => {
    subscription.on("error", () => {
      const event = {
        id: anEvent().id,
        type: "Late",
        contentType: "application/json",
        data: {},
        metadata: {},
      };
      client
        .appendToStream(aStream(), { ...event, contentType: "application/json" }, { credentials })
        .catch(done);
    });
  });
  await new Promise<void>((done) => subscription.once("caughtUp", done));
  fake.cutSubscriptions();
  expect(await failed).toBeInstanceOf(EventStoreUnreachable);
  await release();
});
