import { expect, test } from "vitest";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { EventStoreUnreachable } from "../../infra/event-store/kurrent/kurrent-errors.ts";
import { createStorageWatch, trustedStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import { withAppend } from "../../testing/event-store/handler-fixture.ts";
import { createPerformTask, createTaskBench } from "../../testing/services/task-fixture.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { TaskFailed } from "./perform-task.ts";

const gone = () => new EventStoreUnreachable("No response.");

function awayWhile(isAway: () => boolean): (store: EventStore) => EventStore {
  return (store) => ({
    ...withAppend(store, async (request) => {
      if (isAway()) throw gone();
      return store.append(request);
    }),
    readStream: async (stream, from) => {
      if (isAway()) throw gone();
      return store.readStream(stream, from);
    },
  });
}

test("A task waits while our own log is unavailable, runs on its return, and does not count as failed", async () => {
  let away = false;
  const bench = createTaskBench({ wrapStore: awayWhile(() => away) });
  const { orderId } = await placeAndSubmit(bench.deps);
  const [name = ""] = await bench.due(orderId);
  let probes = 0;
  await using storage = createStorageWatch({
    probes: {
      "event store": async () => {
        probes += 1;
        if (away) throw gone();
      },
    },
    log: bench.log,
    pause: (ms) => new Promise((done) => setTimeout(done, ms > 1000 ? ms : 5)),
  });
  const perform = createPerformTask({ ...bench, storage });
  away = true;
  const performing = perform(orderId, name);
  await expect.poll(() => probes).toBeGreaterThan(20);
  expect(bench.listed).toEqual([]);
  away = false;
  await performing;
  expect(await bench.eventTypes(orderId)).toContain("ConfirmationSent");
  expect(bench.mailer.sent).toHaveLength(1);
  expect(bench.listed).toEqual([]);
  expect(bench.logLines.join()).not.toContain("a task failed");
});

test("A task that keeps failing on storage that answers is postponed", async () => {
  let away = false;
  const bench = createTaskBench({ wrapStore: awayWhile(() => away) });
  const { orderId } = await placeAndSubmit(bench.deps);
  const [name = ""] = await bench.due(orderId);
  away = true;
  await expect(createPerformTask(bench)(orderId, name)).rejects.toThrow(TaskFailed);
  expect(bench.listed).toEqual([`postpone ${name}`]);
});

test("A task waiting for our storage is abandoned when the process stops", async () => {
  let away = false;
  const bench = createTaskBench({ wrapStore: awayWhile(() => away) });
  const { orderId } = await placeAndSubmit(bench.deps);
  const [name = ""] = await bench.due(orderId);
  away = true;
  const stopping = new AbortController();
  const waits = Promise.withResolvers<void>();
  const over = async () => {
    waits.resolve();
    stopping.abort();
    return false;
  };
  const storage = { ...trustedStorage, over };
  const performing = createPerformTask({ ...bench, storage, stopping: stopping.signal })(orderId, name);
  await expect(performing).rejects.toThrow("stopping");
  await waits.promise;
  expect(bench.listed).toEqual([]);
});
