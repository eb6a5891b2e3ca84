import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type Appended,
  type AppendRequest,
  OutcomeUnknown,
  StoreBusy,
  WrongExpectedRevision,
} from "../event-store.ts";
import { AppendBatcher, type AppendChannel, type BatcherLimits, defaultLimits } from "./append-batcher.ts";
import type { EncodedAppend } from "./append-request.ts";

type Outcomes = readonly (Appended | WrongExpectedRevision)[];

/** A channel whose batches wait until answered by the test. */
class HeldChannel implements AppendChannel {
  readonly batches: string[][] = [];
  readonly #answers: ((answer: (batch: readonly EncodedAppend[]) => Outcomes) => void)[] = [];
  down: Error | undefined;
  closed = false;

  async connect() {
    if (this.down) throw this.down;
  }
  async send(batch: readonly EncodedAppend[]) {
    this.batches.push(batch.map(({ stream }) => stream));
    const answer = Promise.withResolvers<(batch: readonly EncodedAppend[]) => Outcomes>();
    this.#answers.push(answer.resolve);
    return (await answer.promise)(batch);
  }
  async close() {
    this.closed = true;
  }
  /** Answers the oldest batch once it was sent. */
  async answer(how: (batch: readonly EncodedAppend[]) => Outcomes = accept) {
    await expect.poll(() => this.#answers.length).toBeGreaterThan(0);
    this.#answers.shift()?.(how);
  }
}

const accept = (batch: readonly EncodedAppend[]) =>
  batch.map(({ expected }) => ({ revision: expected + 1, position: "p" }));
const fail = (error: Error) => () => {
  throw error;
};

function to(stream: string, kilobytes = 0): AppendRequest {
  const data = { filling: "x".repeat(kilobytes * 1024) };
  return {
    stream,
    expectedRevision: "none",
    events: [{ id: randomUUID(), type: "Happened", data, metadata: {} }],
  };
}

function held(limits: Partial<BatcherLimits> = {}) {
  const channel = new HeldChannel();
  return { channel, batcher: new AppendBatcher(channel, { ...defaultLimits, ...limits }) };
}

describe("batches", () => {
  it("are never sent again once they were answered, whatever goes wrong then", async () => {
    const channel = new HeldChannel();
    const batcher = new AppendBatcher(channel, defaultLimits, () => {
      throw new Error("The meter is broken.");
    });
    const appends = [batcher.append(to("a")), batcher.append(to("b"))];
    const settled = Promise.allSettled(appends);
    await channel.answer();
    await expect.poll(() => channel.batches.length).toBe(1);
    for (const one of await settled) expect(one).toMatchObject({ reason: { name: "OutcomeUnknown" } });
    await batcher.close();
    expect(channel.batches).toEqual([["a", "b"]]);
  });

  it("gather concurrent appends, and those that arrive while one is in flight", async () => {
    const { channel, batcher } = held();
    const first = [batcher.append(to("a")), batcher.append(to("b"))];
    await expect.poll(() => channel.batches).toHaveLength(1);
    const second = [batcher.append(to("c")), batcher.append(to("d")), batcher.append(to("e"))];
    await channel.answer();
    await Promise.all(first);
    await channel.answer();
    await Promise.all(second);
    expect(channel.batches).toEqual([
      ["a", "b"],
      ["c", "d", "e"],
    ]);
  });

  it("hold one append per stream, the oldest first", async () => {
    const { channel, batcher } = held();
    const all = ["a", "a", "b", "a", "b"].map((stream) => batcher.append(to(stream)));
    for (let n = 0; n < 3; n++) await channel.answer();
    await Promise.all(all);
    expect(channel.batches).toEqual([["a", "b"], ["a", "b"], ["a"]]);
  });

  it("are bounded in number and size, without leaving any append behind", async () => {
    const few = held({ batch: 2 });
    const appends = ["a", "b", "c", "d", "e"].map((stream) => few.batcher.append(to(stream)));
    for (let n = 0; n < 3; n++) await few.channel.answer();
    await Promise.all(appends);
    expect(few.channel.batches).toEqual([["a", "b"], ["c", "d"], ["e"]]);

    const small = held({ batchBytes: 100 * 1024 });
    const large = [to("a", 60), to("b", 60), to("c", 200), to("d", 1)].map((request) =>
      small.batcher.append(request),
    );
    for (let n = 0; n < 4; n++) await small.channel.answer();
    await Promise.all(large);
    expect(small.channel.batches).toEqual([["a"], ["b"], ["c"], ["d"]]);
  });
});

describe("each append", () => {
  it("is resolved separately", async () => {
    const { channel, batcher } = held();
    const outcomes = Promise.allSettled([
      batcher.append(to("a")),
      batcher.append(to("b")),
      batcher.append(to("c")),
    ]);
    const wrong = new WrongExpectedRevision("b", "none", 7);
    await channel.answer(() => [{ revision: 0, position: "1" }, wrong, { revision: 0, position: "2" }]);
    expect(await outcomes).toEqual([
      { status: "fulfilled", value: { revision: 0, position: "1" } },
      { status: "rejected", reason: wrong },
      { status: "fulfilled", value: { revision: 0, position: "2" } },
    ]);
  });

  it("is retried alone when its batch fails, so only the culprit fails", async () => {
    const { channel, batcher } = held();
    const outcomes = Promise.allSettled(["a", "bad", "c"].map((stream) => batcher.append(to(stream))));
    const spoilt = new Error("invalid byte sequence");
    const judge = (batch: readonly EncodedAppend[]) => {
      if (batch.some(({ stream }) => stream === "bad")) throw spoilt;
      return accept(batch);
    };
    for (let n = 0; n < 4; n++) await channel.answer(judge);
    expect(await outcomes).toMatchObject([
      { status: "fulfilled" },
      { reason: spoilt },
      { status: "fulfilled" },
    ]);
    expect(channel.batches).toEqual([["a", "bad", "c"], ["a"], ["bad"], ["c"]]);
  });

  it("is refused unsent when the store disappears while a failed batch is retried singly", async () => {
    const { channel, batcher } = held();
    const outcomes = Promise.allSettled(["a", "b", "c"].map((stream) => batcher.append(to(stream))));
    const lost = new OutcomeUnknown("lost");
    await channel.answer(fail(new Error("invalid byte sequence")));
    await channel.answer();
    await channel.answer(fail(lost));
    const [a, b, c] = await outcomes;
    expect(a).toMatchObject({ status: "fulfilled" });
    expect(b).toMatchObject({ reason: lost });
    expect(c).toMatchObject({ reason: expect.any(StoreBusy) });
    expect(channel.batches).toHaveLength(3);
  });

  it.each([new OutcomeUnknown("lost"), new StoreBusy("no room")])(
    "is not retried after $name",
    async (fault) => {
      const { channel, batcher } = held();
      const outcomes = Promise.allSettled([batcher.append(to("a")), batcher.append(to("b"))]);
      await channel.answer(fail(fault));
      expect(await outcomes).toMatchObject([{ reason: fault }, { reason: fault }]);
      expect(channel.batches).toHaveLength(1);
    },
  );

  it("is unknown when the store answers for fewer appends than were sent", async () => {
    const { channel, batcher } = held();
    const outcomes = Promise.allSettled([batcher.append(to("a")), batcher.append(to("b"))]);
    await channel.answer(() => [{ revision: 0, position: "1" }]);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: expect.any(OutcomeUnknown) });
  });
});

describe("the queue", () => {
  it("is bounded: one more is StoreBusy at once, until there is room again", async () => {
    const { channel, batcher } = held({ queued: 3 });
    const sent = batcher.append(to("sent"));
    await expect.poll(() => channel.batches).toHaveLength(1);
    const waiting = ["a", "b", "c"].map((stream) => batcher.append(to(stream)));
    await expect(batcher.append(to("d"))).rejects.toThrow(StoreBusy);
    await channel.answer();
    await channel.answer();
    await Promise.all([sent, ...waiting]);
    const late = batcher.append(to("d"));
    await channel.answer();
    expect(await late).toEqual({ revision: 0, position: "p" });
    expect(channel.batches.flat()).toEqual(["sent", "a", "b", "c", "d"]);
  });

  it("is bounded in size too", async () => {
    const { channel, batcher } = held({ queuedBytes: 100 * 1024 });
    const sent = batcher.append(to("sent", 60));
    await expect.poll(() => channel.batches).toHaveLength(1);
    const waiting = batcher.append(to("a", 60));
    await expect(batcher.append(to("b", 60))).rejects.toThrow(StoreBusy);
    await channel.answer();
    await channel.answer();
    await Promise.all([sent, waiting]);
    const late = batcher.append(to("b", 60));
    await channel.answer();
    await late;
  });

  it("refuses appends that waited too long for an unreachable store, and recovers with it", async () => {
    const { channel, batcher } = held({ waitMs: 500 });
    channel.down = new Error("connect ECONNREFUSED");
    const late = batcher.append(to("a"));
    await expect(late).rejects.toThrow(StoreBusy);
    await expect(late).rejects.toMatchObject({ cause: channel.down });
    const patient = batcher.append(to("b"));
    channel.down = undefined;
    await channel.answer();
    await patient;
    expect(channel.batches).toEqual([["b"]]);
  });

  it("is written out before the batcher closes, and takes no more", async () => {
    const { channel, batcher } = held();
    const appends = [batcher.append(to("a")), batcher.append(to("a"))];
    const closing = batcher.close();
    await expect(batcher.append(to("b"))).rejects.toThrow(StoreBusy);
    await channel.answer();
    expect(channel.closed).toBe(false);
    await channel.answer();
    await closing;
    await Promise.all(appends);
    expect(channel.closed).toBe(true);
  });
});
