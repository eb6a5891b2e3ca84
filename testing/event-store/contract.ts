import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginning, type EventStore, WrongExpectedRevision } from "../../infra/event-store/event-store.ts";
import { appendLimitBytes } from "../../infra/event-store/postgres/append-request.ts";
import { describeFollowing } from "./contract-following.ts";
import { anEvent, aStream, type ContractSubject } from "./store-fixture.ts";

/** The contract of every event store. Call it in a test file. */
export function describeEventStoreContract(name: string, factory: () => Promise<ContractSubject>): void {
  describe(`the event store contract on ${name}`, () => {
    let subject: ContractSubject;
    let store: EventStore;
    beforeAll(async () => {
      subject = await factory();
      store = subject.open();
    });
    afterAll(async () => {
      await store.close();
      await subject.dispose();
    });

    describeReading(() => store);
    describeExpectedRevisions(() => store);
    describeRaces(
      () => subject,
      () => store,
    );
    describeFollowing(
      () => subject,
      () => store,
    );
  });
}

function describeReading(the: () => EventStore): void {
  it("returns appended events unchanged and in order", async () => {
    const stream = aStream();
    const data = {
      text: 'Ŵ 你 🙂 \u0000 " \\',
      numbers: [0, -1.5, 1e21, 5e-324, 2 ** 53],
      nested: { z: null, a: [true, {}] },
    };
    const events = [anEvent("First", data), anEvent("Second"), anEvent("Third")];
    const appended = await the().append({ stream, expectedRevision: "none", events });
    const read = await the().readStream(stream);
    expect(read.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))).toEqual(events);
    expect(read.map(({ stream, revision }) => ({ stream, revision }))).toEqual([
      { stream, revision: 0 },
      { stream, revision: 1 },
      { stream, revision: 2 },
    ]);
    expect(appended).toEqual({ revision: 2, position: read[2]?.position });
    for (const { recordedAt } of read) expect(new Date(recordedAt).toISOString()).toBe(recordedAt);
  });

  it("returns the JSON form of a value, whatever the order of its keys", async () => {
    const stream = aStream();
    const event = anEvent("Ordered", { b: 1, a: { d: 0.1, c: -0 } });
    await the().append({ stream, expectedRevision: "none", events: [event] });
    const [read] = await the().readStream(stream);
    expect(read?.data).toEqual({ a: { c: 0, d: 0.1 }, b: 1 });
  });

  it("reads a stream from any revision, and no events beyond its end", async () => {
    const stream = aStream();
    await the().append({ stream, expectedRevision: "none", events: [anEvent(), anEvent(), anEvent()] });
    const revisions = async (from: number) => (await the().readStream(stream, from)).map((e) => e.revision);
    expect(await revisions(1)).toEqual([1, 2]);
    expect(await revisions(3)).toEqual([]);
    expect(await revisions(99)).toEqual([]);
  });

  it("reads a missing stream as empty", async () => {
    expect(await the().readStream(aStream())).toEqual([]);
  });

  it("reads the log from any position, up to the limit", async () => {
    const stream = aStream();
    const before = await the().head();
    await the().append({
      stream,
      expectedRevision: "none",
      events: [anEvent("A"), anEvent("B"), anEvent("C")],
    });
    const all = await the().readAll(before, 10);
    expect(all.map((event) => event.type)).toEqual(["A", "B", "C"]);
    expect((await the().readAll(before, 2)).map((event) => event.type)).toEqual(["A", "B"]);
    expect((await the().readAll(all[1]?.position ?? "", 10)).map((event) => event.type)).toEqual(["C"]);
    expect(await the().readAll(await the().head(), 10)).toEqual([]);
  });

  it("reads a thousand events at once as it reads them one by one", async () => {
    const before = await the().head();
    const texts = ['Ŵ 你 🙂 \u0000 " \\', "", "x".repeat(3_000)];
    const events = Array.from({ length: 400 }, (_, n) =>
      anEvent(`Type${n % 3}`, { n: n / 10, text: texts[n % 3] ?? null, nested: [{ n: -n }] }),
    );
    for (let appends = 0; appends < 3; appends++)
      await the().append({ stream: aStream(), expectedRevision: "none", events });
    const read = await the().readAll(before, 5_000);
    expect(read).toHaveLength(1_200);
    for (let after = before, n = 0; n < 1_200; n += 300) {
      const part = await the().readAll(after, 300);
      expect(read.slice(n, n + 300)).toEqual(part);
      after = part.at(-1)?.position ?? after;
    }
    expect(await the().readAll(before, 1_100)).toEqual(read.slice(0, 1_100));
    expect(await the().readAll(await the().head(), 5_000)).toEqual([]);
  });

  it("finds the event at a position, and nothing at the beginning", async () => {
    const stream = aStream();
    const appended = await the().append({ stream, expectedRevision: "none", events: [anEvent("Found")] });
    expect((await the().eventAt(appended.position))?.type).toBe("Found");
    expect(await the().eventAt(beginning)).toBeUndefined();
  });

  it("has its newest position as head, greater as text than all earlier ones", async () => {
    const positions = [beginning];
    for (let n = 0; n < 12; n++) {
      const { position } = await the().append({
        stream: aStream(),
        expectedRevision: "none",
        events: [anEvent()],
      });
      expect(await the().head()).toBe(position);
      positions.push(position);
    }
    expect(positions).toEqual(positions.toSorted());
    expect(new Set(positions).size).toBe(positions.length);
  });

  it("always returns the same log id", async () => {
    const id = await the().logId();
    expect(id).not.toBe("");
    expect(await the().logId()).toBe(id);
  });
}

function describeExpectedRevisions(the: () => EventStore): void {
  const three = async () => {
    const stream = aStream();
    await the().append({ stream, expectedRevision: "none", events: [anEvent(), anEvent(), anEvent()] });
    return stream;
  };

  it.each([
    ["none, for an existing stream", "none" as const],
    ["too low", 1],
    ["too high", 3],
    ["far too high", 1_000_000],
  ])("refuses an expected revision that is %s, and writes nothing", async (_, expectedRevision) => {
    const stream = await three();
    const attempt = the().append({ stream, expectedRevision, events: [anEvent(), anEvent()] });
    await expect(attempt).rejects.toThrow(WrongExpectedRevision);
    await expect(attempt).rejects.toMatchObject({ stream, expected: expectedRevision, actual: 2 });
    expect(await the().readStream(stream)).toHaveLength(3);
  });

  it.each([0, 5])("refuses to append to a missing stream at revision %i", async (expectedRevision) => {
    const stream = aStream();
    const attempt = the().append({ stream, expectedRevision, events: [anEvent()] });
    await expect(attempt).rejects.toThrow(WrongExpectedRevision);
    await expect(attempt).rejects.toMatchObject({ expected: expectedRevision, actual: "none" });
    expect(await the().readStream(stream)).toEqual([]);
  });

  it("appends at the exact revision", async () => {
    const stream = await three();
    const appended = await the().append({ stream, expectedRevision: 2, events: [anEvent(), anEvent()] });
    expect(appended.revision).toBe(4);
    expect((await the().readStream(stream)).map((event) => event.revision)).toEqual([0, 1, 2, 3, 4]);
  });

  it.each([
    ["without events", { events: [] }],
    ["to a stream without a name", { stream: "" }],
    ["at a negative revision", { expectedRevision: -1 }],
    ["at half a revision", { expectedRevision: 0.5 }],
    ["with an id that is not a UUID", { events: [{ ...anEvent(), id: "one" }] }],
    ["above the limit", { events: [anEvent("Big", { text: "x".repeat(appendLimitBytes) })] }],
  ])("refuses an append %s before it is sent", async (_, wrong) => {
    const request = { stream: aStream(), expectedRevision: "none" as const, events: [anEvent()], ...wrong };
    await expect(the().append(request)).rejects.toThrow(RangeError);
    expect(await the().readStream(request.stream)).toEqual([]);
  });
}

function describeRaces(subject: () => ContractSubject, the: () => EventStore): void {
  it("lets exactly one of many appends at the same revision win, whole", async () => {
    const stores = Array.from({ length: 4 }, () => subject().open());
    const stream = aStream();
    for (let round = 0; round < 10; round++) {
      const expectedRevision = round === 0 ? "none" : round * 3 - 1;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 24 }, (_, n) =>
          stores[n % stores.length]?.append({
            stream,
            expectedRevision,
            events: [0, 1, 2].map((part) => anEvent("Part", { writer: n, part, round })),
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(WrongExpectedRevision);
    }
    const events = await the().readStream(stream);
    expect(events.map((event) => event.revision)).toEqual(events.map((_, index) => index));
    for (let round = 0; round < 10; round++) {
      const parts = events.slice(round * 3, round * 3 + 3).map(({ data }) => data);
      const writer = parts[0]?.writer;
      expect(parts).toEqual([0, 1, 2].map((part) => ({ writer, part, round })));
    }
    await Promise.all(stores.map((store) => store.close()));
  });

  it("resolves each of many concurrent appends separately", async () => {
    const [good, taken] = [aStream(), aStream()];
    await the().append({ stream: taken, expectedRevision: "none", events: [anEvent()] });
    const crowd = await Promise.allSettled([
      the().append({ stream: good, expectedRevision: "none", events: [anEvent(), anEvent()] }),
      the().append({ stream: taken, expectedRevision: "none", events: [anEvent(), anEvent()] }),
      the().append({ stream: good, expectedRevision: 1, events: [anEvent()] }),
      the().append({ stream: taken, expectedRevision: 7, events: [anEvent()] }),
      the().append({ stream: taken, expectedRevision: 0, events: [anEvent()] }),
    ]);
    expect(crowd.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await the().readStream(good)).toHaveLength(3);
    expect(await the().readStream(taken)).toHaveLength(2);
  });
}
