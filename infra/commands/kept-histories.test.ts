import { describe, expect, it, vi } from "vitest";
import {
  as,
  type JarCommand,
  JarIsSealed,
  jarDecider,
  jarReading,
  put,
  sealJar,
  withAppend,
} from "../../testing/event-store/handler-fixture.ts";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../testing/event-store/memory-event-store.ts";
import { soon } from "../../testing/setup/patience.ts";
import { OutcomeUnknown } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import type { Prepare } from "./append.ts";
import { createCommandHandler } from "./command-handler.ts";
import { createKeptHistories } from "./kept-histories.ts";

const stream = "jar-1";

/**
 * A handler as in a separate process, with the revisions from which it read. `fault` replaces each answer while set;
 * the next answer waits for `late`.
 */
function processOn(log: MemoryLog) {
  const store = createMemoryEventStore({ log });
  const reads: number[] = [];
  const process: { fault: Error | undefined; late: Promise<void> | undefined } = {
    fault: undefined,
    late: undefined,
  };
  const answer = async <Answer>(given: Answer): Promise<Answer> => {
    const { late } = process;
    process.late = undefined;
    await late;
    return given;
  };
  const handler = createCommandHandler({
    store: {
      ...withAppend(store, async (request) => {
        if (process.fault) throw process.fault;
        return answer(await store.append(request));
      }),
      readStream: async (name, from = 0) => {
        if (process.fault) throw process.fault;
        reads.push(from);
        return answer(await store.readStream(name, from));
      },
    },
    decider: jarDecider,
    ...jarReading,
    random: () => 0,
    pause: async () => undefined,
  });
  const handle = (command: JarCommand, id: string, prepare?: (command: JarCommand) => Preparing) =>
    handler.handle({ stream, command, metadata: as(id), ...(prepare && { prepare: prepare(command) }) });
  return Object.assign(process, {
    handler,
    handle,
    reads,
    load: () => handler.load(stream),
    /** The current stream, of which only what is new is read. */
    end: () => handler.lastSeen(stream, Number.POSITIVE_INFINITY),
  });
}

type Preparing = Prepare<unknown, JarCommand>;

/** Counts what commands seal and discard. */
function sealing() {
  const counts = {
    sealed: 0,
    discarded: 0,
    prepare:
      (command: JarCommand): Preparing =>
      async () => {
        counts.sealed += 1;
        const discard = async () => {
          counts.discarded += 1;
        };
        const written = async () => undefined;
        return { command, fingerprint: null, companions: [], written, discard };
      },
  };
  return counts;
}

type Process = ReturnType<typeof processOn>;

describe("a stream kept in memory", () => {
  it("is not read again for a command or a repeat", async () => {
    const here = processOn(createMemoryLog());
    const first = await here.handle(put(5), "one");
    const second = await here.handle(put(10), "two");
    expect(second).toMatchObject({ revision: 1, state: { total: 15 } });
    expect(await here.handle(put(5), "one")).toEqual({ ...first, repeated: true });
    expect(here.reads).toEqual([0]);
  });

  it("is the same as when read", async () => {
    const log = createMemoryLog();
    const here = processOn(log);
    await here.handle(put(5, 10), "one");
    await here.handle(put(1), "two");
    const kept = await here.handler.lastSeen(stream);
    expect(here.reads).toEqual([0]);
    expect(kept).toEqual(await processOn(log).load());
  });

  it("is read from its last event on when another process appended first", async () => {
    const log = createMemoryLog();
    const [here, there] = [processOn(log), processOn(log)];
    await here.handle(put(5), "one");
    await there.handle(put(10), "two");
    expect(await here.handle(put(1), "three")).toMatchObject({ revision: 2, state: { total: 16, coins: 3 } });
    expect(here.reads).toEqual([0, 0]);
    await there.handle(put(2), "four");
    expect((await here.end()).state).toMatchObject({ total: 18, coins: 4 });
    expect(here.reads).toEqual([0, 0, 2]);
  });

  it("refuses nothing, and takes nothing for done, on what it last saw", async () => {
    const log = createMemoryLog();
    const [here, there] = [processOn(log), processOn(log)];
    await here.handle(put(5), "one");
    await there.handle(sealJar, "two");
    await expect(here.handle(put(1), "three")).rejects.toThrow(JarIsSealed);
    expect(await here.handle(sealJar, "four")).toMatchObject({ events: [], revision: 1 });
    // The end of the stream is looked at before an answer that appends nothing.
    expect(here.reads.length).toBeGreaterThan(2);
  });

  it.each([
    ["an append", (here: Process) => here.handle(put(10), "two")],
    ["a read", (here: Process) => here.end()],
  ])("is not replaced by an older one when the answer to %s comes late", async (_, ask) => {
    const here = processOn(createMemoryLog());
    await here.handle(put(5), "one");
    const { promise, resolve } = Promise.withResolvers<void>();
    here.late = promise;
    const slow = ask(here);
    await vi.waitFor(() => expect(here.late).toBeUndefined(), soon);
    const { revision } = await here.handle(put(1), "three");
    resolve();
    await slow;
    expect((await here.handler.lastSeen(stream)).revision).toBe(revision);
  });

  it("is not read for a command that seals data", async () => {
    const here = processOn(createMemoryLog());
    await here.handle(put(5), "one");
    const vault = sealing();
    expect(await here.handle(put(10), "two", vault.prepare)).toMatchObject({
      revision: 1,
      state: { total: 15 },
    });
    expect(here.reads).toEqual([0]);
    expect(vault).toMatchObject({ sealed: 1, discarded: 0 });
  });

  it("that is outdated has what was sealed on it discarded, and sealed anew for the stream as it is", async () => {
    const log = createMemoryLog();
    const [here, there] = [processOn(log), processOn(log)];
    await here.handle(put(5), "one");
    await there.handle(put(10), "two");
    const named = sealing();
    expect(await here.handle(put(1), "three", named.prepare)).toMatchObject({
      revision: 2,
      state: { total: 16 },
    });
    expect(named).toMatchObject({ sealed: 2, discarded: 1 });
    await there.handle(sealJar, "four");
    const refused = sealing();
    await expect(here.handle(put(1), "five", refused.prepare)).rejects.toThrow(JarIsSealed);
    expect(refused).toMatchObject({ sealed: 1, discarded: 1 });
  });

  it("serves readers only if it is not before the revision they know of", async () => {
    const log = createMemoryLog();
    const [here, there] = [processOn(log), processOn(log)];
    await here.handle(put(5), "one");
    await there.handle(put(10), "two");
    expect((await here.handler.lastSeen(stream)).revision).toBe(0);
    expect((await here.handler.lastSeen(stream, 1)).revision).toBe(1);
    expect((await here.handler.lastSeen(stream, 1)).state).toMatchObject({ total: 15 });
  });

  it("is forgotten when what became of an append is unknown", async () => {
    const here = processOn(createMemoryLog());
    await here.handle(put(5), "one");
    here.fault = new OutcomeUnknown("lost");
    await expect(here.handle(put(10), "two")).rejects.toThrow(OutcomeUnknown);
    here.fault = undefined;
    await here.handle(put(10), "two");
    expect(here.reads).toEqual([0, 0]);
  });

  it("leaves a failed append to the caller", async () => {
    const log = createMemoryLog();
    const store = createMemoryEventStore({ log });
    let failures = 0;
    const handler = createCommandHandler({
      store: withAppend(store, async (request) => {
        if (request.expectedRevision === "none" || failures > 0) return store.append(request);
        failures += 1;
        throw new Error("The disk is full.");
      }),
      decider: jarDecider,
      ...jarReading,
      random: () => 0,
    });
    await handler.handle({ stream, command: put(5), metadata: as("one") });
    const second = () => handler.handle({ stream, command: put(10), metadata: as("two") });
    await expect(second()).rejects.toThrow("The disk is full.");
    expect(await second()).toMatchObject({ state: { total: 15 } });
  });

  it("is read anew when its last event is another, as after a restore", async () => {
    const [log, restored] = [createMemoryLog(), createMemoryLog()];
    const here = processOn(log);
    await here.handle(put(5, 10), "one");
    await processOn(restored).handle(put(7, 7, 7), "one");
    log.events = restored.events;
    expect((await here.end()).state).toMatchObject({ coins: 3, total: 21 });
    log.events = [];
    expect((await here.end()).revision).toBe("none");
  });

  it("is unreadable when its last event, or one after it, was changed", async () => {
    for (const revision of [1, 2]) {
      const log = createMemoryLog();
      const [here, there] = [processOn(log), processOn(log)];
      await here.handle(put(5, 10), "one");
      await there.handle(put(1), "two");
      const event = log.events[revision];
      if (event) log.events[revision] = { ...event, data: { pence: 99 } };
      await expect(here.end()).rejects.toThrow(BrokenChain);
      await expect(here.handle(put(2), "three")).rejects.toThrow(BrokenChain);
    }
  });
});

it("reads and verifies the whole stream for readers, and keeps none that is broken", async () => {
  const log = createMemoryLog();
  const here = processOn(log);
  await here.handle(put(5, 10), "one");
  const [first] = log.events;
  if (first) log.events[0] = { ...first, data: { pence: 99 } };
  await expect(here.load()).rejects.toThrow(BrokenChain);
  await expect(here.handle(put(1), "two")).rejects.toThrow(BrokenChain);
});

describe("what is kept", () => {
  const sized = (size: number) => ({ size });

  it("is bounded by streams, the least recently used going first", () => {
    const kept = createKeptHistories({ streams: 2, size: 100 });
    kept.put("a", sized(1));
    kept.put("b", sized(1));
    kept.get("a");
    kept.put("c", sized(1));
    expect(["a", "b", "c"].map((name) => kept.get(name) !== undefined)).toEqual([true, false, true]);
  });

  it("is bounded by size, and a stream above the bound is not kept", () => {
    const kept = createKeptHistories({ streams: 10, size: 100 });
    kept.put("a", sized(60));
    kept.put("b", sized(50));
    expect(kept.get("a")).toBeUndefined();
    expect(kept.get("b")).toBeDefined();
    kept.put("b", sized(90));
    kept.put("c", sized(101));
    expect([kept.get("b"), kept.get("c")]).toEqual([undefined, undefined]);
    kept.put("d", sized(100));
    expect(kept.get("d")).toBeDefined();
  });
});
