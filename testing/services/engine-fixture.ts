import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { beginning, type EventStore, EventStoreUnreachable } from "../../infra/event-store/event-store.ts";
import type { Ended } from "../../infra/following/parked-retry.ts";
import { createOrders } from "../../services/orders/orders.ts";
import { takeUp } from "../../services/policies/following/follow-tasks.ts";
import type { AnyTask } from "../../services/policies/subject.ts";
import { createEngine, type Engine, type EngineParts } from "../../services/policies/work/engine.ts";
import type { Derived, WorkTable } from "../../services/policies/work/work-table.ts";
import type { Mailer } from "../../services/providers/smtp/mailer.ts";
import { withAppend } from "../event-store/handler-fixture.ts";
import { DrivenClock, settled } from "./driven-clock.ts";
import { MemoryWorkTable } from "./memory-work-table.ts";
import { createTaskBench, type TaskBench } from "./task-fixture.ts";

/** A process that performs automatic work. */
export type EngineWorker = {
  readonly engine: Engine;
  /** Follows the log to its end, as the process that holds the lease does. */
  follow(): Promise<void>;
  /** The same, but the transaction is rolled back. */
  followInVain(): Promise<void>;
};

/** Workers in memory on one log and one table of work, with a clock moved by the test. */
export type EngineBench = {
  readonly bench: TaskBench;
  readonly time: DrivenClock;
  readonly rows: MemoryWorkTable;
  /** Started; parts are replaced by the test. */
  start(changes?: Partial<EngineParts>): EngineWorker;
  /** Has the worker follow whatever it appends, for so long. */
  pass(seconds: number, follower: EngineWorker): Promise<void>;
};

export function createEngineBench(
  changes: { wrapStore?: (store: EventStore) => EventStore } = {},
): EngineBench {
  const time = new DrivenClock();
  const bench = createTaskBench({ ...changes, now: time.now });
  const rows = new MemoryWorkTable(time.clock.sinceBootMs);
  let checkpoint = beginning;

  async function batch(parts: EngineParts, engine: Engine, isKept: boolean): Promise<boolean> {
    const events = await bench.store.readAll(checkpoint, 200);
    const last = events.at(-1);
    if (!last) return false;
    const transaction = rows.begin();
    const listing = {
      followersOf: async (orderIds: readonly string[]) => rows.followersOf(orderIds),
      derive: transaction.derive,
    };
    const told: Ended[] = [];
    await takeUp({ ...parts, ...parts.deps, engine }, listing, events, (ended) => told.push(ended));
    if (isKept) {
      transaction.commit();
      checkpoint = last.position;
    } else transaction.rollBack();
    for (const ended of told) ended(isKept);
    return true;
  }

  const start: EngineBench["start"] = (more = {}) => {
    const parts: EngineParts = {
      ...bench,
      ...{ table: rows.tableOf(), newId: bench.deps.newId, clock: time.clock },
      ...{ isFollowing: () => true, wakeAnother: async () => undefined },
      ...more,
    };
    const engine = createEngine(parts);
    engine.start();
    const follow = async () => {
      await settled();
      while (await batch(parts, engine, true)) await settled();
    };
    return {
      engine,
      follow,
      followInVain: async () => {
        await settled();
        await batch(parts, engine, false);
        await settled();
      },
    };
  };

  return {
    ...{ bench, time, rows, start },
    pass: async (seconds, follower) => {
      for (let nth = 0; nth < seconds; nth += 1) {
        await follower.follow();
        await time.pass(1);
      }
      await follower.follow();
    },
  };
}

export function sentOnce({ bench }: EngineBench): void {
  const ids = bench.mailer.sent.map(({ messageId }) => messageId);
  expect(ids).toEqual([...new Set(ids)]);
}

/** A mail server that holds each mail until it is released. */
export function slowMailer(mailer: Mailer) {
  const released = Promise.withResolvers<void>();
  const send = vi.fn(async (mail: Parameters<Mailer["send"]>[0]) => {
    await released.promise;
    return mailer.send(mail);
  });
  return { send, mailer: { ...mailer, send }, release: released.resolve };
}

/** A process' table whose heartbeats fail while its link is cut. */
export function withLink({ rows }: EngineBench) {
  const link = { isCut: false };
  const plain = rows.tableOf();
  const beat: WorkTable["beat"] = (worker) =>
    link.isCut ? Promise.reject(new EventStoreUnreachable("No response.")) : plain.beat(worker);
  return { link, table: { ...plain, beat } };
}

/** Another process has its own memory of the log. */
export const ownMemory = ({ bench, time }: EngineBench, store = bench.store): Pick<EngineParts, "deps"> => ({
  deps: { ...bench.deps, orders: createOrders({ store, random: Math.random, now: time.now }) },
});

export const withReads = (store: EventStore, before: (stream: string) => Promise<void>): EventStore => ({
  ...withAppend(store, (request) => store.append(request)),
  readStream: async (stream, from) => {
    await before(stream);
    return store.readStream(stream, from);
  },
});

export const mailDue = ({ time }: EngineBench, seconds = 0): AnyTask => ({
  ...{ kind: "mail", name: "mail", template: "confirmation", about: randomUUID() },
  dueAt: new Date(time.now().getTime() + seconds * 1000).toISOString(),
});

/** A batch that is committed, of which its worker has not heard. */
export async function committedBatch(
  { rows, time }: EngineBench,
  { engine }: EngineWorker,
  derived: Derived[],
) {
  const now = time.now();
  const batch = engine.batch(derived, now);
  const transaction = rows.begin();
  const claims = await transaction.derive({ ...batch, derived, now, rules: 1 });
  transaction.commit();
  return { ...batch, heard: () => batch.ended(claims) };
}

/** The subjects that a worker owns, in the table's eyes. */
export const heldBy = async ({ rows }: EngineBench, worker: string): Promise<string[]> =>
  ((await rows.tableOf().beat(worker))?.owned ?? []).map(({ subjectId }) => subjectId);

/** A worker under an id that the test knows. */
export function startAs(on: EngineBench, id: string, changes: Partial<EngineParts> = {}): EngineWorker {
  const ids = [id];
  return on.start({ newId: () => ids.shift() ?? randomUUID(), ...changes });
}
