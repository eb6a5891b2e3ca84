import { randomInt, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditLog } from "../../../infra/audit/audit-log.ts";
import { beginning, type EventStore, type StoredEvent } from "../../../infra/event-store/event-store.ts";
import { createKurrentEventStore } from "../../../infra/event-store/kurrent/kurrent-event-store.ts";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { withAppend } from "../../../testing/event-store/handler-fixture.ts";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../../testing/event-store/memory-event-store.ts";
import { anEvent } from "../../../testing/event-store/store-fixture.ts";
import { memoryTree, write } from "../../../testing/infra/audit-fixture.ts";
import { copyLog } from "./copy-log.ts";

let fake: FakeEventStoreDb;
let log: MemoryLog;
let source: EventStore;
let target: EventStore;
beforeEach(async () => {
  fake = await startFakeEventStoreDb();
  log = createMemoryLog();
  source = createMemoryEventStore({ log });
  target = createKurrentEventStore({ url: fake.url, logId: log.id });
  for (let n = 0; n < 40; n++) await write(source, `thing-${n % 7}`, "First", "Second", "Third");
});
afterEach(async () => {
  await target.close();
  await fake.stop();
});

const whole = async (store: EventStore) =>
  (await store.readAll(beginning, 1000)).map(
    ({ position: _p, recordedAt: _r, ...event }: StoredEvent) => event,
  );

/** A target whose nth append interrupts the run as `how` says. */
function interrupted(nth: number, how: (stop: AbortController) => void): [EventStore, AbortController] {
  const stop = new AbortController();
  let count = 0;
  const store = withAppend(target, (request) => {
    count += 1;
    if (count === nth) how(stop);
    return target.append(request);
  });
  return [store, stop];
}

describe("a copy", () => {
  it("holds the same events in the same order, under the source log's id", async () => {
    const { report } = await copyLog({ from: source, to: target });
    expect(report).toMatchObject({ events: 120, streams: 7, problem: null });
    expect(await whole(target)).toEqual(await whole(source));
    expect(await target.logId()).toBe(log.id);
  });

  it("agrees with what was signed of the original", async () => {
    const tree = await memoryTree();
    await tree.sign(log);
    await copyLog({ from: source, to: target });
    expect(await auditLog({ store: target, tree })).toMatchObject({ checkpoints: 1, problem: null });
  });

  it("can be copied back into an empty log unchanged", async () => {
    await copyLog({ from: source, to: target });
    const back = createMemoryEventStore({ log: { ...createMemoryLog(), id: log.id } });
    await copyLog({ from: target, to: back });
    expect(await whole(back)).toEqual(await whole(source));
  });

  it("changes nothing when repeated, and adds later events", async () => {
    await copyLog({ from: source, to: target });
    const records = fake.log.records.length;
    await copyLog({ from: source, to: target });
    expect(fake.log.records).toHaveLength(records);
    await write(source, "thing-1", "Later");
    expect(await copyLog({ from: source, to: target })).toMatchObject({ report: { events: 121 } });
  });
});

it("A copy returns the positions of the checkpoints' events", async () => {
  const [one, other] = [log.events[3], log.events[77]];
  const checkpoints = new Set([one?.id ?? "", other?.id ?? ""]);
  const { positions } = await copyLog({ from: source, to: target, checkpoints });
  expect(positions.size).toBe(2);
  for (const [id, position] of positions) expect((await target.eventAt(position))?.id).toBe(id);
});

describe("an interrupted copy", () => {
  it("resumes between any two appends", async () => {
    for (let round = 0; round < 4; round++) {
      const [store, stop] = interrupted(randomInt(1, 9), (controller) => controller.abort());
      await expect(copyLog({ from: source, to: store, signal: stop.signal })).rejects.toThrow("aborted");
    }
    await copyLog({ from: source, to: target });
    expect(await whole(target)).toEqual(await whole(source));
  });

  it("writes nothing twice and omits nothing after lost answers and requests", async () => {
    const nth = randomInt(1, 30);
    const [store] = interrupted(nth, () => {
      fake.faults.losesAnswers = 1;
      fake.faults.refusesAppends = 1;
    });
    await copyLog({ from: source, to: store });
    expect(await whole(target)).toEqual(await whole(source));
  });
});

describe("a copy is refused", () => {
  it("when the target holds other events", async () => {
    await target.append({ stream: "other", expectedRevision: "none", events: [anEvent()] });
    await expect(copyLog({ from: source, to: target })).rejects.toThrow("that the source lacks: 0 of other");
  });

  it("when the target is another log", async () => {
    const other = createKurrentEventStore({ url: fake.url, name: "another" });
    await expect(copyLog({ from: source, to: other })).rejects.toThrow("belongs to another log");
    await other.close();
  });

  it("when the source is broken", async () => {
    const event = log.events[50];
    if (event) log.events[50] = { ...event, data: { amount: 1_000_000 } };
    await expect(copyLog({ from: source, to: target })).rejects.toThrow("the source is broken");
    expect(await target.head()).toBe(beginning);
  });

  it("when the source lacks a checkpoint's event, being an older copy", async () => {
    const checkpoints = new Set([log.events[3]?.id ?? "", randomUUID()]);
    await expect(copyLog({ from: source, to: target, checkpoints })).rejects.toThrow("an older copy");
    expect(await target.head()).toBe(beginning);
  });

  it("when the source grows during the copy", async () => {
    const [store] = interrupted(5, () => void write(source, "thing-0", "Meanwhile"));
    await expect(copyLog({ from: source, to: store })).rejects.toThrow("grew while it was copied");
  });

  it("when an event did not arrive, or arrived elsewhere (control)", async () => {
    const lastOfItsStream = log.events.findLast(({ stream }) => stream === "thing-3");
    const losing = withAppend(target, async (request) => {
      const isLost = request.events.some(({ id }) => id === lastOfItsStream?.id);
      return isLost ? { revision: 0, position: "" } : target.append(request);
    });
    await expect(copyLog({ from: source, to: losing })).rejects.toThrow("The copy differs from the source");
  });
});
