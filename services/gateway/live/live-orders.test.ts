import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import type { EventStore, FollowOptions } from "../../../infra/event-store/event-store.ts";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { createOrderChanges } from "./live-orders.ts";

const silent = pino({ level: "silent" });

/** A store whose followers a test counts, and breaks. */
function followedStore() {
  const store = createMemoryEventStore();
  const broken = new AbortController();
  const counted = { follows: 0, headFails: false, breakFollower: () => broken.abort() };
  async function* follow(options: FollowOptions) {
    counted.follows += 1;
    const signal = counted.follows === 1 ? AbortSignal.any([options.signal, broken.signal]) : options.signal;
    yield* store.follow({ ...options, signal });
    if (broken.signal.aborted && counted.follows === 1) throw new Error("The log cannot be read.");
  }
  const head = () => (counted.headFails ? Promise.reject(new Error("No answer.")) : store.head());
  const append = async (orderId: string, expectedRevision: number | "none" = "none") =>
    (
      await store.append({
        stream: `order-${orderId}`,
        expectedRevision,
        events: [{ id: randomUUID(), type: "Something", data: {}, metadata: {} }],
      })
    ).position;
  const followed: Pick<EventStore, "follow" | "head"> = { follow, head };
  return { followed, counted, append };
}

function listener() {
  const heard: string[] = [];
  const lost = vi.fn<() => void>();
  const listening = { changed: (position: string) => void heard.push(position), lost };
  return { heard, lost, listening };
}

describe("Changes of orders", () => {
  test("reach all who watch, over one follower of the log", async () => {
    const { followed, counted, append } = followedStore();
    const changes = createOrderChanges({ store: followed, log: silent, collectMs: 1 });
    const [one, two, other] = [listener(), listener(), listener()];
    await Promise.all([
      changes.watch("a", one.listening),
      changes.watch("a", two.listening),
      changes.watch("b", other.listening),
    ]);
    const position = await append("a");
    await expect.poll(() => [one.heard, two.heard]).toEqual([[position], [position]]);
    expect(other.heard).toEqual([]);
    expect(counted.follows).toBe(1);
    changes.stop();
  });

  test("before the first who watches are not announced, and none after they left", async () => {
    const { followed, append } = followedStore();
    const changes = createOrderChanges({ store: followed, log: silent, collectMs: 1 });
    const [first, stays] = [listener(), listener()];
    await append("a");
    const unwatch = await changes.watch("a", first.listening);
    await changes.watch("a", stays.listening);
    unwatch();
    const position = await append("a", 0);
    await expect.poll(() => stays.heard).toEqual([position]);
    expect(first.heard).toEqual([]);
    changes.stop();
  });

  test("that can no longer be followed are said to be lost, and are followed again by who comes next", async () => {
    const { followed, counted, append } = followedStore();
    const changes = createOrderChanges({ store: followed, log: silent, collectMs: 1 });
    const [before, after] = [listener(), listener()];
    await changes.watch("a", before.listening);
    counted.breakFollower();
    await expect.poll(() => before.lost).toHaveBeenCalledOnce();
    await changes.watch("a", after.listening);
    const position = await append("a");
    await expect.poll(() => after.heard).toEqual([position]);
    expect(counted.follows).toBe(2);
    changes.stop();
  });

  test("cannot be watched while the log does not answer, and can once it does", async () => {
    const { followed, counted, append } = followedStore();
    const changes = createOrderChanges({ store: followed, log: silent, collectMs: 1 });
    const { heard, listening } = listener();
    counted.headFails = true;
    await expect(changes.watch("a", listening)).rejects.toThrow("No answer.");
    counted.headFails = false;
    await changes.watch("a", listening);
    const position = await append("a");
    await expect.poll(() => heard).toEqual([position]);
    changes.stop();
  });
});
