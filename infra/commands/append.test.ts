import { beforeEach, describe, expect, it } from "vitest";
import { as, jarHandler, put, withAppend } from "../../testing/event-store/handler-fixture.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import {
  type AppendRequest,
  type EventStore,
  OutcomeUnknown,
  StoreBusy,
} from "../event-store/event-store.ts";
import { StreamContended } from "./command-handler.ts";

const stream = "jar-1";
let store: EventStore;
beforeEach(async () => {
  store = createMemoryEventStore();
  await jarHandler(store).handle({ stream, command: put(1), metadata: as("before") });
});

/** Runs `acts[n]` instead of the nth append, then appends as usual. */
function scripted(...acts: ((request: AppendRequest) => Promise<void>)[]): {
  store: EventStore;
  sent: AppendRequest[];
} {
  const sent: AppendRequest[] = [];
  const append: EventStore["append"] = async (request) => {
    sent.push(structuredClone({ ...request }));
    await acts[sent.length - 1]?.(request);
    return store.append(request);
  };
  return { store: withAppend(store, append), sent };
}

const loseAnswer = async (request: AppendRequest) => {
  await store.append(request);
  throw new OutcomeUnknown("lost after writing");
};
const loseRequest = async () => {
  throw new OutcomeUnknown("lost before writing");
};
const rivalWrites = async () => {
  const { revision } = await jarHandler(store).load(stream);
  await jarHandler(store).handle({ stream, command: put(100), metadata: as(`rival-${revision}`) });
};
const pence = async () =>
  (await jarHandler(store).load(stream)).events.map(({ event }) => Object.values(event.data)[0]);

describe("an unknown outcome", () => {
  it("is resolved by finding the events, which are not written twice", async () => {
    const lossy = scripted(loseAnswer);
    const result = await jarHandler(lossy.store).handle({ stream, command: put(2, 3), metadata: as("one") });
    expect(result).toMatchObject({ revision: 2, repeated: false, state: { total: 6 } });
    expect(result.position).toBe(await store.head());
    expect(lossy.sent).toHaveLength(1);
    expect(await pence()).toEqual([1, 2, 3]);
  });

  it("is resolved by sending missing events again at the same revision", async () => {
    const lossy = scripted(loseRequest, loseRequest);
    const result = await jarHandler(lossy.store).handle({ stream, command: put(2, 3), metadata: as("one") });
    expect(result).toMatchObject({ revision: 2, repeated: false });
    expect(lossy.sent).toHaveLength(3);
    expect(lossy.sent[2]).toEqual(lossy.sent[0]);
    expect(await pence()).toEqual([1, 2, 3]);
  });

  it("is resolved when the first copy arrives between reading and resending", async () => {
    const late = scripted(loseRequest, async (request) => {
      await store.append(request);
    });
    const result = await jarHandler(late.store).handle({ stream, command: put(2), metadata: as("one") });
    expect(result).toMatchObject({ revision: 1, repeated: false });
    expect(await pence()).toEqual([1, 2]);
  });

  it("leads to a new decision when other events took that revision", async () => {
    const lossy = scripted(async () => {
      await rivalWrites();
      throw new OutcomeUnknown("lost before writing");
    });
    const result = await jarHandler(lossy.store).handle({ stream, command: put(2), metadata: as("one") });
    expect(result).toMatchObject({ revision: 2, state: { total: 103 } });
    expect(lossy.sent.map(({ expectedRevision }) => expectedRevision)).toEqual([0, 1]);
  });

  it("is resolved for a command that starts its stream", async () => {
    const lossy = scripted(loseAnswer);
    const request = { stream: "jar-2", command: put(2), metadata: as("one"), startsStream: true };
    expect(await jarHandler(lossy.store).handle(request)).toMatchObject({ revision: 0, repeated: false });
    expect(await store.readStream("jar-2")).toHaveLength(1);
  });

  it("is reported as unknown while the store is unreachable, and resolved by a repeat", async () => {
    const gone: EventStore = {
      ...withAppend(store, loseAnswer),
      readStream: async (name, from) => {
        if (from !== undefined) throw new Error("unreachable");
        return store.readStream(name);
      },
    };
    const lost = jarHandler(gone).handle({ stream, command: put(2), metadata: as("one") });
    await expect(lost).rejects.toThrow(OutcomeUnknown);
    const again = await jarHandler(store).handle({ stream, command: put(2), metadata: as("one") });
    expect(again).toMatchObject({ revision: 1, repeated: true });
    expect(await pence()).toEqual([1, 2]);
  });
});

describe("a stream that changes while a command is decided", () => {
  it("is read again for a new decision", async () => {
    const raced = scripted(rivalWrites, rivalWrites);
    const result = await jarHandler(raced.store).handle({ stream, command: put(2), metadata: as("one") });
    expect(result).toMatchObject({ revision: 3, state: { total: 203 }, repeated: false });
  });

  it("returns the first result when the competing append was the same command", async () => {
    const command = put(2);
    const twin = async () => {
      await jarHandler(store).handle({ stream, command, metadata: as("one", "2026-11-21T09:29:59.000Z") });
    };
    const result = await jarHandler(scripted(twin).store).handle({ stream, command, metadata: as("one") });
    expect(result).toMatchObject({ revision: 1, repeated: true });
    expect(await pence()).toEqual([1, 2]);
  });

  it("is given up after ever longer waits", async () => {
    const waits: number[] = [];
    const endless = scripted(...Array.from({ length: 100 }, () => rivalWrites));
    const handler = jarHandler(endless.store, async (ms) => {
      waits.push(ms);
    });
    await expect(handler.handle({ stream, command: put(2), metadata: as("one") })).rejects.toThrow(
      StreamContended,
    );
    expect(waits.length).toBeGreaterThan(5);
    expect(waits.length).toBeLessThan(100);
    expect(Math.max(...waits)).toBeLessThanOrEqual(200);
    expect(await pence()).not.toContain(2);
  });
});

it("reports a busy store without resending", async () => {
  const busy = scripted(async () => {
    throw new StoreBusy("too much waits");
  });
  for (const startsStream of [false, true]) {
    const name = startsStream ? "jar-2" : stream;
    const refused = jarHandler(scripted(async () => Promise.reject(new StoreBusy("full"))).store);
    await expect(
      refused.handle({ stream: name, command: put(2), metadata: as("one"), startsStream }),
    ).rejects.toThrow(StoreBusy);
  }
  await expect(
    jarHandler(busy.store).handle({ stream, command: put(2), metadata: as("one") }),
  ).rejects.toThrow(StoreBusy);
  expect(busy.sent).toHaveLength(1);
});
