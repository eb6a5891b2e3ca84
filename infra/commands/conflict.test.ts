import { beforeEach, describe, expect, it } from "vitest";
import { as, jarHandler, put, sealJar } from "../../testing/event-store/handler-fixture.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { eventMetadata } from "../event-store/event-metadata.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { StreamChanged } from "./command-handler.ts";

const stream = "jar-1";
let store: EventStore;
beforeEach(async () => {
  store = createMemoryEventStore();
  await jarHandler(store).handle({ stream, command: put(1), metadata: as("first") });
});

const execute = (commandId: string, pence: number, expectedRevision?: number) =>
  jarHandler(store).handle({
    stream,
    command: put(pence),
    metadata: as(commandId),
    ...(expectedRevision !== undefined && { expectedRevision }),
  });

const changed = (revision: number) => expect.objectContaining({ name: "StreamChanged", revision });

describe("a command with an expected revision", () => {
  it("succeeds when the stream is at that revision", async () => {
    expect(await execute("a", 2, 0)).toMatchObject({ revision: 1, state: { total: 3 } });
  });

  it("is refused when the stream has changed, and writes nothing", async () => {
    await execute("a", 2);
    await expect(execute("b", 4, 0)).rejects.toEqual(changed(1));
    await expect(execute("b", 4, 7)).rejects.toEqual(changed(1));
    expect(await store.readStream(stream)).toHaveLength(2);
  });

  it("gets its first result when repeated, however much the stream has changed", async () => {
    await execute("a", 2, 0);
    await execute("b", 4, 1);
    expect(await execute("a", 2, 0)).toMatchObject({ repeated: true, revision: 1, state: { total: 3 } });
  });

  it("is refused even when there is nothing to do: the sender must read again", async () => {
    const seal = (commandId: string) =>
      jarHandler(store).handle({ stream, command: sealJar, metadata: as(commandId), expectedRevision: 0 });
    await seal("a");
    await expect(seal("b")).rejects.toEqual(changed(1));
  });

  it("succeeds or is refused when two are sent at once, without losing or mixing changes", async () => {
    for (let round = 0; round < 20; round++) {
      const before = await store.readStream(stream);
      const answers = await Promise.allSettled([
        execute(`one-${round}`, 10, before.length - 1),
        execute(`two-${round}`, 100, before.length - 1),
      ]);
      const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      expect(refused).toEqual([changed(before.length)]);
      expect(refused[0]).toBeInstanceOf(StreamChanged);
      expect(await store.readStream(stream)).toHaveLength(before.length + 1);
    }
  });

  it("would have mixed them silently (control)", async () => {
    await Promise.all([execute("one", 10), execute("two", 100)]);
    expect(await store.readStream(stream)).toHaveLength(3);
  });
});

describe("the reason given by staff", () => {
  it("is stored with the event and covered by its hash", async () => {
    const metadata = { ...as("a"), reason: "goodwill" } as const;
    await jarHandler(store).handle({ stream, command: put(2), metadata });
    const [first, second] = (await store.readStream(stream)).map((event) =>
      eventMetadata.parse(event.metadata),
    );
    expect([first?.reason, second?.reason]).toEqual([undefined, "goodwill"]);
    expect(Object.keys((await store.readStream(stream))[0]?.metadata ?? {})).not.toContain("reason");
  });
});
