import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EventStoreUnreachable } from "../../../infra/event-store/kurrent/kurrent-errors.ts";
import type { JobToAdd } from "../../../infra/jobs/jobs.ts";
import { createLog } from "../../../infra/process/log.ts";
import { type StorageWatch, trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { atEachPlace, interrupted } from "../../../testing/system/interruption-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { createPerformer, TaskFailed } from "../perform-task.ts";
import { createOwnVisits, taskHandler } from "./arrange-visits.ts";
import type { ListedTask } from "./task-list.ts";
import { createVisits } from "./visits.ts";

const start = new Date("2026-11-23T09:30:00.000Z");
afterEach(() => void vi.useRealTimers());

const task = (subjectId: string, inMs: number, name = "mail-confirmation"): ListedTask => ({
  subjectId,
  name,
  kind: "mail",
  dueAt: new Date(start.getTime() + inMs),
});
const purge = (subjectId: string, inMs: number): ListedTask => ({
  ...task(subjectId, inMs, "purge-application"),
  kind: "purge",
});

/** Visits that last until the test ends them, and the jobs that were made instead. */
function process() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queued: JobToAdd[] = [];
  let failure: Error | undefined;
  let queueAnswers: Promise<void> | undefined;
  const visits = createOwnVisits({
    handler: async ({ subjectId }) => {
      begun.push(String(subjectId));
      if (failure) throw failure;
      await new Promise<void>((ended) => ends.push(ended));
    },
    jobs: {
      add: async (jobs) => {
        if (jobs.length > 0 && queueAnswers) await queueAnswers;
        queued.push(...jobs);
      },
    },
    log: createLog("silent"),
  });
  return {
    ...visits,
    begun,
    queued,
    take: (...tasks: ListedTask[]) => visits.take(tasks, start).map(({ id }) => id.split("-")[0]),
    fail: (error: Error) => {
      failure = error;
    },
    /** @returns lets the queue answer */
    delayQueue: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      queueAnswers = promise;
      return resolve;
    },
    end: () => {
      for (const ended of ends.splice(0)) ended();
    },
  };
}

describe("A process' own visits", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));

  test("begin when their tasks are due, without a job", async () => {
    const own = process();
    expect(own.take(task("now", 0), task("soon", 5_000))).toEqual([]);
    expect(own.begun).toEqual(["now"]);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(own.begun).toEqual(["now"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(own.begun).toEqual(["now", "soon"]);
    expect(own.queued).toEqual([]);
  });

  test("leave to the queue what is far off, and what others may have taken up already", () => {
    const own = process();
    expect(own.take(task("far", 10_001), task("late", -501))).toEqual(["late", "far"]);
    expect(own.begun).toEqual([]);
  });

  test("leave to the queue what finds no room when it is due", async () => {
    const own = process();
    const many = Array.from({ length: 8 }, (_, nth) => task(`s${nth}`, 0));
    expect(own.take(...many, task("ninth", 0), task("soon", 5_000))).toEqual(["ninth"]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(own.queued.map(({ data }) => data.subjectId)).toEqual(["soon"]);
    own.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(own.take(task("tenth", 0))).toEqual([]);
  });

  test("have room for purges, however many mails wait for a silent server", async () => {
    const own = process();
    const mails = Array.from({ length: 8 }, (_, nth) => task(`m${nth}`, 0));
    const purges = Array.from({ length: 8 }, (_, nth) => purge(`p${nth}`, 5_000));
    own.take(...mails, ...purges, purge("ninth", 5_000));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(own.begun).toEqual([...mails, ...purges].map(({ subjectId }) => subjectId));
    expect(own.queued).toMatchObject([{ data: { subjectId: "ninth" }, priority: "urgent" }]);
    expect(own.take(task("mail", 0))).toEqual(["mail"]);
  });

  test("are made once of tasks that are listed again", async () => {
    const own = process();
    own.take(task("now", 0), task("soon", 5_000));
    expect(own.take(task("now", 0), task("soon", 5_000))).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(own.begun).toEqual(["now", "soon"]);
  });

  test("that fail become jobs", async () => {
    const own = process();
    own.fail(new TaskFailed("ECONNREFUSED"));
    own.take(task("now", 0));
    await vi.advanceTimersByTimeAsync(0);
    expect(own.queued).toMatchObject([{ data: { subjectId: "now" }, delayMs: 500 }]);
  });

  test("become jobs when the process was paused past their time", async () => {
    const own = process();
    own.take(task("soon", 5_000));
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 6_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(own.begun).toEqual([]);
    expect(own.queued).toMatchObject([{ data: { subjectId: "soon" }, delayMs: 0 }]);
  });

  test("that are still to come are left to the queue when the process stops", async () => {
    const own = process();
    own.take(task("now", 0), task("soon", 5_000));
    await vi.advanceTimersByTimeAsync(1_000);
    const stopped = own.stop();
    expect(own.queued).toMatchObject([{ data: { subjectId: "soon" }, delayMs: 4_000 }]);
    expect(own.take(task("later", 0))).toEqual(["later"]);
    own.end();
    await stopped;
    expect(own.begun).toEqual(["now"]);
  });

  test("end only when the queue has taken what found no room", async () => {
    const own = process();
    own.take(...Array.from({ length: 8 }, (_, nth) => task(`s${nth}`, 0)), task("soon", 1_000));
    const added = own.delayQueue();
    await vi.advanceTimersByTimeAsync(1_000);
    const ended = vi.fn();
    const stopped = own.stop().then(ended);
    own.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).not.toHaveBeenCalled();
    added();
    await stopped;
    expect(own.queued.map(({ data }) => data.subjectId)).toEqual(["soon"]);
  });
});

test("A task of a visit without a job is kept from the sweeps of other processes once it is slow", async () => {
  const bench = createTaskBench();
  const { orderId } = await placeAndSubmit(bench.deps);
  const [name = "none"] = await bench.due(orderId);
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { send } = bench.mailer;
  bench.mailer.send = async (mail) => {
    reached.resolve();
    await answered.promise;
    return send(mail);
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const visiting = visitsOf(bench).visit(orderId, name);
  await reached.promise;
  vi.advanceTimersByTime(1_500);
  expect(bench.listed).toEqual([`hold ${name}`]);
  answered.resolve();
  await visiting;
});

function visitsOf(bench: TaskBench, storage: StorageWatch = trustedStorage) {
  const parts = { ...bench, storage };
  return createVisits({
    ...parts,
    performer: createPerformer(parts),
    isFollowing: () => true,
    retry: async () => undefined,
  });
}

/** An order's visit that waits for our own storage while another process, which it does not stop, sends its mail. */
async function duringAnOutage() {
  let isAway = false;
  const bench = createTaskBench({
    confirmLog: async () => {
      if (isAway) throw new EventStoreUnreachable("No response.");
    },
  });
  const { orderId } = await placeAndSubmit(bench.deps);
  const [name = "none"] = await bench.due(orderId);
  const [suspected, back] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  const storage = { ...trustedStorage, suspect: suspected.resolve, over: () => back.promise };
  return {
    bench,
    orderId,
    name,
    visits: visitsOf(bench, storage),
    /** @param visiting begins the visit @param over waits for its end */
    go: async (visiting: () => void, over: () => Promise<unknown>) => {
      isAway = true;
      visiting();
      await suspected.promise;
      bench.wait(4);
      isAway = false;
      const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { send } = bench.mailer;
      bench.mailer.send = async (mail) => {
        bench.mailer.send = send;
        reached.resolve();
        await answered.promise;
        return send(mail);
      };
      const elsewhere = visitsOf(bench).visit(orderId, name, { isHeld: async () => true });
      await reached.promise;
      back.resolve(true);
      await over();
      answered.resolve();
      await elsewhere;
      return bench.mailer.sent.map(({ messageId }) => messageId);
    },
  };
}

test("A visit without a job leaves its mail to the queue after an outage: another process may have it", async () => {
  const { bench, orderId, name, visits, go } = await duringAnOutage();
  const queued: JobToAdd[] = [];
  const own = createOwnVisits({
    handler: taskHandler(visits),
    jobs: { add: async (jobs) => void queued.push(...jobs) },
    log: bench.log,
  });
  const task = { subjectId: orderId, name, kind: "mail", dueAt: bench.now() } as const;
  // The sweep of the other process has made a job of it.
  const ids = await go(
    () => void own.take([task], bench.now()),
    () => own.stop(),
  );
  expect(ids).toEqual([...new Set(ids)]);
  expect(queued).toMatchObject([{ data: { subjectId: orderId, name } }]);
});

test("A visit leaves its mail after an outage to the process that the queue has given its job", async () => {
  const { orderId, name, visits, go } = await duringAnOutage();
  const isHeld = vi.fn(async () => false);
  const visit = Promise.withResolvers<void>();
  const ids = await go(
    () => visit.resolve(visits.visit(orderId, name, { isHeld })),
    () => expect(visit.promise).rejects.toThrow(TaskFailed),
  );
  expect(isHeld).toHaveBeenCalled();
  expect(ids).toEqual([...new Set(ids)]);
});

test("A visit without a job may die at any of its steps: the list still leads to all of its work, once", async () => {
  const places = await atEachPlace(async (nth) => {
    const world = interrupted();
    const { bench } = world;
    const { orderId } = await placeAndSubmit(bench.deps);
    const [name = "none"] = await bench.due(orderId);
    const lost: JobToAdd[] = [];
    const own = createOwnVisits({
      handler: taskHandler(visitsOf(bench)),
      jobs: { add: async (jobs) => void lost.push(...jobs) },
      log: bench.log,
    });
    const died = await world.dyingBefore(nth, async () => {
      const dueAt = bench.now();
      expect(own.take([{ subjectId: orderId, name, kind: "mail", dueAt }], dueAt)).toEqual([]);
      await own.stop();
    });
    for (let minute = 0; minute < 3; minute += 1) {
      await bench.performAll(orderId);
      bench.wait(60);
    }
    expect(bench.automation.accepted.size).toBe(1);
    const types = await bench.eventTypes(orderId);
    for (const once of ["ConfirmationSent", "SubmittedToGRO", "SensitiveDataPurged"])
      expect(types.filter((type) => type === once)).toHaveLength(1);
    expect(await bench.due(orderId)).toEqual([]);
    return died;
  });
  expect(places).toBeGreaterThan(4);
});
