import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { write } from "../../testing/infra/audit-fixture.ts";
import type { StoredEvent } from "./event-store.ts";
import { createLogVerifier, mostStreamsKept } from "./log-verifier.ts";

let log: ReturnType<typeof createMemoryLog>;
let reads: string[];
let verifier: ReturnType<typeof createLogVerifier>;
beforeEach(async () => {
  log = createMemoryLog();
  const store = createMemoryEventStore({ log });
  await write(store, "order-a", "Opened", "Paid", "Sent");
  await write(store, "order-b", "Opened", "Paid");
  reads = [];
  verifier = createLogVerifier({
    readStream: (stream, from) => {
      reads.push(`${stream} from ${from}`);
      return store.readStream(stream, from);
    },
  });
});

const at = (index: number): StoredEvent => log.events[index] ?? expect.fail("no such event");

function change(index: number, changes: Partial<StoredEvent>): void {
  log.events[index] = { ...at(index), ...changes };
}

describe("Links", () => {
  it("hold in an intact log, without reading any stream", async () => {
    await verifier.verifyLinks(log.events);
    expect(reads).toEqual([]);
  });

  it("hold whatever the content of an event, which its hash does not", async () => {
    change(1, { data: { amount: 7 } });
    await verifier.verifyLinks(log.events);
    await expect(verifier.hashOf(at(1))).rejects.toThrow("Event 1 of order-a is not what was appended.");
  });

  it("are compared with what is stored where the event before was not met", async () => {
    await verifier.verifyLinks([at(2), at(4)]);
    expect(reads).toEqual(["order-a from 1", "order-b from 0"]);
  });

  it.each([
    [mostStreamsKept - 1, []],
    [mostStreamsKept, ["order-a from 0"]],
  ])("are compared with what is kept, or stored, after %i other streams", async (count, expected) => {
    const others = Array.from({ length: count }, (_, nth) => ({ ...at(0), stream: `order-${nth}` }));
    await verifier.verifyLinks([at(0), ...others, at(1)]);
    expect(reads).toEqual(expected);
  });

  it("are compared again when the newest events come again", async () => {
    await verifier.verifyLinks(log.events);
    await verifier.verifyLinks([at(1), at(2), at(4)]);
    expect(reads).toEqual(["order-a from 0", "order-b from 0"]);
  });

  it.each<[string, () => unknown, string]>([
    ["an event is missing", () => log.events.splice(1, 1), "Event 1 of order-a is missing."],
    [
      "an event has another hash",
      () => change(1, { metadata: { ...at(1).metadata, hash: "0".repeat(64) } }),
      "Event 2 of order-a does not follow the event before it.",
    ],
    [
      "an event has no hash",
      () => change(1, { metadata: { previousHash: at(0).metadata.hash ?? null } }),
      "Event 1 of order-a is not what was appended.",
    ],
    [
      "an event names another one",
      () => change(4, { metadata: { ...at(4).metadata, previousHash: "0".repeat(64) } }),
      "Event 1 of order-b does not follow the event before it.",
    ],
  ])("break where %s", async (_what, damage, words) => {
    damage();
    await expect(verifier.verifyLinks(log.events)).rejects.toThrow(words);
  });
});
