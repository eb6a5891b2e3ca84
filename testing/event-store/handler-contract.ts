import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandHandler } from "../../infra/commands/command-handler.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { type AppendRequest, type EventStore, OutcomeUnknown } from "../../infra/event-store/event-store.ts";
import {
  as,
  JarIsSealed,
  jarDecider,
  jarHandler,
  jarReading,
  put,
  sealJar,
  withAppend,
} from "./handler-fixture.ts";
import type { ContractSubject } from "./store-fixture.ts";

/** The contract of the command handler on every event store. Call it in a test file. */
export function describeHandlerOn(name: string, factory: () => Promise<ContractSubject>): void {
  describe(`the command handler on ${name}`, () => {
    let subject: ContractSubject;
    let stores: EventStore[];
    beforeAll(async () => {
      subject = await factory();
      stores = Array.from({ length: 4 }, () => subject.open());
    });
    afterAll(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await subject.dispose();
    });

    describeRivals(() => stores);
    describeRepeats(() => stores[0] ?? expect.fail("no store"));
    describeLostAnswers(() => stores[0] ?? expect.fail("no store"));
  });
}

/** 20 handlers, spread over the stores as over processes, with real waits between retries. */
function handlers(stores: readonly EventStore[]) {
  return Array.from({ length: 5 }, () => stores)
    .flat()
    .map((store) => createCommandHandler({ store, decider: jarDecider, ...jarReading, random: Math.random }));
}

function describeRivals(the: () => readonly EventStore[]): void {
  it("lets 20 competing commands on one stream all succeed, one after the other", async () => {
    const stream = "jar-of-rivals";
    const results = await Promise.all(
      handlers(the()).map((handler, n) =>
        handler.handle({ stream, command: put(n, n), metadata: as(`rival-${n}`) }),
      ),
    );
    expect(results.map(({ repeated }) => repeated)).not.toContain(true);
    const revisions = results.map(({ revision }) => Number(revision)).toSorted((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 20 }, (_, n) => n * 2 + 1));
    const [handler] = handlers(the());
    expect((await handler?.load(stream))?.state).toMatchObject({ coins: 40, total: 380 });
  });

  it("runs a command once when 20 callers send it together, with the same answer for all", async () => {
    const stream = "jar-of-twins";
    const request = { stream, command: put(5, 10), metadata: as("twin") };
    const results = await Promise.all(handlers(the()).map((handler) => handler.handle(request)));
    expect(results.filter(({ repeated }) => !repeated)).toHaveLength(1);
    for (const result of results)
      expect({ ...result, repeated: true }).toEqual({ ...results[0], repeated: true });
    expect(await the()[0]?.readStream(stream)).toHaveLength(2);
  });
}

function describeRepeats(the: () => EventStore): void {
  it("answers a repeat with the first result, even when the stream now forbids it", async () => {
    const stream = "jar-of-repeats";
    const first = await jarHandler(the()).handle({ stream, command: put(5, 10), metadata: as("one") });
    await jarHandler(the()).handle({ stream, command: sealJar, metadata: as("two") });
    const later = as("one", "2027-01-01T00:00:00.000Z");
    const again = await jarHandler(the()).handle({ stream, command: put(5, 10), metadata: later });
    expect(again).toEqual({ ...first, repeated: true });
    const other = jarHandler(the()).handle({ stream, command: put(1), metadata: as("three") });
    await expect(other).rejects.toThrow(JarIsSealed);
    expect(await the().readStream(stream)).toHaveLength(3);
  });

  it("refuses a known id with another body, and writes nothing", async () => {
    const stream = "jar-of-bodies";
    await jarHandler(the()).handle({ stream, command: put(5), metadata: as("one") });
    const other = jarHandler(the()).handle({ stream, command: put(6), metadata: as("one") });
    await expect(other).rejects.toThrow(CommandReused);
    expect(await the().readStream(stream)).toHaveLength(1);
  });

  it("accepts one of two bodies under one id that start a stream together, and refuses the other", async () => {
    for (let round = 0; round < 10; round++) {
      const stream = `jar-of-two-bodies-${round}`;
      const answers = await Promise.allSettled(
        [5, 6].map((pence) =>
          jarHandler(the()).handle({ stream, command: put(pence), metadata: as("one"), startsStream: true }),
        ),
      );
      const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      expect(refused).toEqual([expect.any(CommandReused)]);
      expect(await the().readStream(stream)).toHaveLength(1);
    }
  });
}

function describeLostAnswers(the: () => EventStore): void {
  const losing = (act: (request: AppendRequest) => Promise<unknown>) => {
    let lost = false;
    return withAppend(the(), async (request) => {
      if (lost) return the().append(request);
      lost = true;
      await act(request);
      throw new OutcomeUnknown("The answer was lost.");
    });
  };

  it("finds the written events when the first answer was lost, and writes nothing twice", async () => {
    const stream = "jar-of-lost-answers";
    const store = losing((request) => the().append(request));
    const result = await jarHandler(store).handle({ stream, command: put(2, 3), metadata: as("one") });
    expect(result).toMatchObject({ revision: 1, repeated: false, state: { total: 5 } });
    expect(result.position).toBe((await the().readStream(stream))[1]?.position);
    expect(await the().readStream(stream)).toHaveLength(2);
  });

  it("writes once when the first request arrives after its repeat", async () => {
    const stream = "jar-of-lost-requests";
    const late: AppendRequest[] = [];
    const store = losing(async (request) => late.push(request));
    await jarHandler(store).handle({ stream, command: put(2, 3), metadata: as("one") });
    for (const request of late) await expect(the().append(request)).rejects.toThrow("was expected at none");
    expect(await the().readStream(stream)).toHaveLength(2);
  });
}
