import { describe, expect, it } from "vitest";
import { withAppend } from "../../testing/event-store/handler-fixture.ts";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../testing/event-store/memory-event-store.ts";
import { anEvent } from "../../testing/event-store/store-fixture.ts";
import { happen } from "../../testing/infra/following-fixture.ts";
import {
  beginning,
  CompanionExists,
  type EventStore,
  EventStoreUnreachable,
  type Position,
  type StoredEvent,
} from "../event-store/event-store.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { guardEventStore, OtherLogAnswers, type SeenEvent } from "./guarded-event-store.ts";

/** A server whose log can be replaced under open connections. */
function changingStore(first: EventStore) {
  let current = first;
  let faults = 0;
  const now = (): EventStore => {
    if (faults-- > 0) throw new EventStoreUnreachable("Away.");
    return current;
  };
  const store: EventStore = {
    append: async (request) => now().append(request),
    readStream: async (stream, from) => now().readStream(stream, from),
    readAll: async (after, limit) => now().readAll(after, limit),
    eventAt: async (position) => now().eventAt(position),
    follow: (options) => now().follow(options),
    head: async () => now().head(),
    logId: async () => now().logId(),
    close: async () => undefined,
  };
  return {
    store,
    become: (next: EventStore) => {
      current = next;
    },
    /** Fails the next calls. */
    fail: (times: number) => {
      faults = times;
    },
  };
}

async function guarded(log: MemoryLog = createMemoryLog()) {
  const right = createMemoryEventStore({ log });
  const server = changingStore(right);
  const heard: string[] = [];
  const newest: SeenEvent[] = [];
  const last = log.events.at(-1);
  const guard = guardEventStore({
    store: server.store,
    bound: {
      logId: log.id,
      newest: last && { position: last.position, eventId: last.id, logId: log.id },
    },
    onOther: () => heard.push("other"),
    onBack: () => heard.push("back"),
    onNewest: (seen) => newest.push(seen),
  });
  /** The log after its first events. */
  const earlier = (events: number) =>
    createMemoryEventStore({
      log: { ...createMemoryLog(), id: log.id, events: log.events.slice(0, events) },
    });
  return { ...server, right, log, guard, heard, newest, earlier };
}

const append = (store: EventStore, stream: string) =>
  store.append({ stream, expectedRevision: "none", events: [anEvent()] });

describe("A guarded event store", () => {
  it("does not doubt the log when a companion row exists", async () => {
    const { guard, right, become } = await guarded();
    await append(guard, "a");
    let reads = 0;
    const taken = () => Promise.reject(new CompanionExists("It was sealed before."));
    const eventAt: EventStore["eventAt"] = (position) => {
      reads += 1;
      return right.eventAt(position);
    };
    become({ ...withAppend(right, taken), eventAt });
    await expect(append(guard, "b")).rejects.toThrow(CompanionExists);
    await guard.readStream("a");
    expect(reads).toBe(0);
  });

  it("works like the store while it has the right log", async () => {
    const { guard, log } = await guarded();
    const { position } = await append(guard, "a");
    await guard.confirm();
    expect(await guard.readStream("a")).toHaveLength(1);
    expect(await guard.head()).toBe(position);
    expect(await guard.logId()).toBe(log.id);
    expect((await guard.eventAt(position))?.stream).toBe("a");
    expect(await guard.readAll(beginning, 10)).toHaveLength(1);
  });

  it("recognises another log, even before its own had an event", async () => {
    const { guard, become } = await guarded();
    await guard.confirm();
    become(createMemoryEventStore());
    await expect(guard.confirm()).rejects.toThrow(OtherLogAnswers);
  });

  it.each([
    ["append", (store: EventStore) => append(store, "b")],
    ["read a stream", (store: EventStore) => store.readStream("a")],
    ["read the log", (store: EventStore) => store.readAll(beginning, 10)],
    ["find its end", (store: EventStore) => store.head()],
    ["read the log's id", (store: EventStore) => store.logId()],
  ])("does not %s while another log answers", async (_, work) => {
    const { guard, become, right, heard } = await guarded();
    await append(guard, "a");
    const other = createMemoryEventStore();
    await happen(other, "one", "two", "three");
    become(other);
    await expect(guard.confirm()).rejects.toThrow(OtherLogAnswers);
    const before = await other.head();
    await expect(work(guard)).rejects.toThrow(OtherLogAnswers);
    expect(await other.head()).toBe(before);
    become(right);
    await work(guard);
    expect(heard).toEqual(["other", "back"]);
  });

  it("confirms before it continues after an error: another server may answer next", async () => {
    const { guard, become, fail } = await guarded();
    await append(guard, "a");
    become(createMemoryEventStore());
    fail(1);
    await expect(guard.readStream("a")).rejects.toThrow("Away");
    await expect(append(guard, "b")).rejects.toThrow(OtherLogAnswers);
  });

  it("recognises an older copy by the events this process appended and followed", async () => {
    const { guard, become, right, earlier } = await guarded();
    await append(guard, "a");
    await guard.confirm();
    await append(guard, "b");
    become(earlier(1));
    await expect(guard.confirm()).rejects.toThrow(OtherLogAnswers);
    become(right);
    await guard.confirm();
  });

  it("never counts events acknowledged by another log", async () => {
    const { guard, become, right, newest } = await guarded();
    const own = await append(guard, "a");
    await guard.confirm();
    const other = createMemoryEventStore();
    await happen(other, "one", "two", "three");
    become(other);
    // Not noticed yet.
    await append(guard, "lost");
    await expect(guard.confirm()).rejects.toThrow(OtherLogAnswers);
    become(right);
    await guard.confirm();
    expect(newest.map(({ position }) => position)).toEqual([own.position]);
  });

  it("delivers no event of another log to a follower", async () => {
    const { guard, become } = await guarded();
    const { position } = await append(guard, "a");
    await guard.confirm();
    const other = createMemoryEventStore();
    await happen(other, "one", "two", "three");
    become(other);
    const following = guard.follow({ after: position, signal: new AbortController().signal });
    const seen: unknown[] = [];
    const follow = async () => {
      for await (const batch of following) seen.push(batch);
    };
    await expect(follow()).rejects.toThrow(OtherLogAnswers);
    expect(seen).toEqual([]);
  });

  /** The server answers its next subscription as another log would, and has ours again before anything is checked. */
  function subscribedToOther(server: { readonly store: EventStore }, answer: () => readonly StoredEvent[]) {
    const { follow } = server.store;
    server.store.follow = async function* () {
      server.store.follow = follow;
      yield answer();
    };
  }

  const follows = async (guard: EventStore, after: Position, most: number) => {
    const seen: (string | undefined)[] = [];
    for await (const batch of guard.follow({ after, signal: new AbortController().signal })) {
      seen.push(...batch.map(({ stream }) => stream));
      if (seen.length >= most) break;
    }
    return seen;
  };

  it("goes on when another log refused its position, but the right one is back", async () => {
    const { guard, right, ...server } = await guarded();
    const { position } = await append(guard, "a");
    subscribedToOther(server, () => {
      throw new Error("The position is inside a record.");
    });
    await append(guard, "b");
    expect(await follows(guard, position, 1)).toEqual(["b"]);
  });

  it("gives up when its own log refuses its position twice", async () => {
    const { guard, store } = await guarded();
    const { position } = await append(guard, "a");
    let asked = 0;
    store.follow = async function* () {
      asked += 1;
      yield [];
      throw new Error("The position is inside a record.");
    };
    await expect(follows(guard, position, 1)).rejects.toThrow("inside a record");
    expect(asked).toBe(2);
  });

  it("reads again what another log refused before the right one was back", async () => {
    const { guard, store } = await guarded();
    await append(guard, "a");
    const { readStream } = store;
    store.readStream = async () => {
      store.readStream = readStream;
      throw new Error("The event is unreadable.");
    };
    expect(await guard.readStream("a")).toHaveLength(1);
  });

  it("delivers no event of another log when the right one is back before the check", async () => {
    const { guard, ...server } = await guarded();
    const { position } = await append(guard, "a");
    const other = createMemoryEventStore();
    await happen(other, "one", "two", "three");
    const foreign = await other.readAll(position, 10);
    subscribedToOther(server, () => foreign);
    await expect(follows(guard, position, 1)).rejects.toThrow(OtherLogAnswers);
    await append(guard, "b");
    await guard.confirm();
    expect(await follows(guard, position, 1)).toEqual(["b"]);
  });

  it("waits when the server disappears between a batch and its check", async () => {
    const { guard, fail, right } = await guarded();
    await append(right, "a");
    const ending = new AbortController();
    const seen: (string | undefined)[] = [];
    for await (const batch of guard.follow({ after: beginning, signal: ending.signal })) {
      seen.push(batch[0]?.stream);
      if (seen.length === 2) ending.abort();
      else {
        // Following itself continues; only the guard's checks fail.
        fail(2);
        await append(right, "b");
      }
    }
    expect(seen).toEqual(["a", "b"]);
  });

  it("treats another log as a transient error: followers wait instead of stopping", () => {
    expect(isTransientError(new OtherLogAnswers(""))).toBe(true);
  });
});

it("shares a check between callers, but only one started after their calls", async () => {
  const { store, guard, right } = await guarded();
  await append(guard, "a");
  await guard.confirm();
  let asked = 0;
  const gates: (() => void)[] = [];
  store.eventAt = async (position) => {
    asked += 1;
    await new Promise<void>((open) => gates.push(open));
    return right.eventAt(position);
  };
  const first = guard.confirm();
  const others = [guard.confirm(), guard.confirm(), guard.confirm()];
  expect(asked).toBe(1);
  gates.shift()?.();
  await first;
  await expect.poll(() => gates.length).toBe(1);
  gates.shift()?.();
  await Promise.all(others);
  expect(asked).toBe(2);
});
