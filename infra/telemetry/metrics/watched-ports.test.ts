import { expect, it } from "vitest";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { anEvent, aStream } from "../../../testing/event-store/store-fixture.ts";
import {
  type AppendRequest,
  CompanionExists,
  type EventStore,
  OutcomeUnknown,
  StoreBusy,
} from "../../event-store/event-store.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { untraced } from "../tracing/tracing.ts";
import { createMeter } from "./meter.ts";
import { platformFamilies } from "./platform-families.ts";
import { watchAppends, watchJobs } from "./watched-ports.ts";

function watched(append?: EventStore["append"]) {
  const meter = createMeter();
  const seen: string[] = [];
  const inner = createMemoryEventStore();
  const store = watchAppends(append ? Object.assign(createMemoryEventStore(), { append }) : inner, {
    families: platformFamilies(meter),
    tracing: untraced,
    onAppended: ({ type }) => seen.push(type),
  });
  return { store, seen, text: () => meter.text() };
}

const request = (stream = aStream()): AppendRequest => ({
  stream,
  expectedRevision: "none",
  events: [anEvent()],
});

it("counts written events by type, and reports each once", async () => {
  const { store, seen, text } = watched();
  const wanted = request();
  await store.append(wanted);
  expect(seen).toEqual(wanted.events.map(({ type }) => type));
  expect(await text()).toContain(`certificates_events_appended_total{type="${seen[0]}"} 1`);
  expect(await text()).toContain('certificates_append_seconds_count{outcome="written"} 1');
  expect(await text()).toContain("certificates_appends_in_flight 0");
});

it("counts a conflict, but none of its events", async () => {
  const { store, seen, text } = watched();
  const stream = aStream();
  await store.append(request(stream));
  await expect(store.append(request(stream))).rejects.toThrow("was expected at none");
  expect(seen).toHaveLength(1);
  expect(await text()).toContain('certificates_append_seconds_count{outcome="conflict"} 1');
});

it.each([
  [new CompanionExists("It was sealed before."), "conflict"],
  [new StoreBusy("Too much waits."), "busy"],
  [new OutcomeUnknown("The answer was lost."), "unknown"],
  [new Error("Anything else."), "failed"],
])("counts %o, and rethrows it", async (fault, outcome) => {
  const { store, seen, text } = watched(() => Promise.reject(fault));
  await expect(store.append(request())).rejects.toBe(fault);
  expect(seen).toEqual([]);
  expect(await text()).toContain(`certificates_append_seconds_count{outcome="${outcome}"} 1`);
  expect(await text()).toContain("certificates_appends_in_flight 0");
});

/** A queue that runs a job when the test says. */
async function watchedQueue(look: () => Promise<void>) {
  const meter = createMeter();
  let run = look;
  const queue: Jobs = {
    add: async () => undefined,
    work: async (watched) => {
      run = watched;
      return async () => undefined;
    },
    standing: async () => ({ waiting: 3, active: 1, oldestWaiting: undefined }),
    wipe: async () => undefined,
    close: async () => undefined,
  };
  const jobs = watchJobs(queue, { meter, families: platformFamilies(meter), now: () => new Date() });
  await jobs.work(look);
  return { jobs, run: () => run(), text: () => meter.text() };
}

it("counts the jobs added, and times those that ran", async () => {
  const { jobs, run, text } = await watchedQueue(async () => undefined);
  await jobs.add("one");
  await run();
  expect(await text()).toContain("certificates_jobs_added_total 1");
  expect(await text()).toContain('certificates_job_seconds_count{outcome="done"} 1');
  expect(await text()).toContain('certificates_jobs{state="waiting"} 3');
});

it("counts failures", async () => {
  const { run, text } = await watchedQueue(() => Promise.reject(new Error("refused")));
  await expect(run()).rejects.toThrow("refused");
  expect(await text()).toContain('certificates_job_seconds_count{outcome="failed"} 1');
});
