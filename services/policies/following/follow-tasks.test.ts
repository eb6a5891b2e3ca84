import { expect, it } from "vitest";
import { beginning } from "../../../infra/event-store/event-store.ts";
import type { Ended } from "../../../infra/following/parked-retry.ts";
import type { Client } from "../../../infra/postgres/pool.ts";
import { createTaskBench } from "../../../testing/services/task-fixture.ts";
import { placeAndAsk } from "../../../testing/system/orders-fixture.ts";
import type { Engine } from "../work/engine.ts";
import { tasksPolicy } from "./follow-tasks.ts";

it("tells each batch how its own transaction ended, where two overlap", async () => {
  const bench = createTaskBench();
  const { orderId } = await placeAndAsk(bench.deps);
  const heard: string[] = [];
  const names = ["a retry", "a batch"];
  const batch: Engine["batch"] = ([derived]) => {
    expect(derived?.subjectId).toBe(orderId);
    const name = names.shift() ?? "";
    const ended = () => void heard.push(name);
    return { worker: undefined, takes: new Set(), letsGo: new Set(), ended };
  };
  const { process } = tasksPolicy({ ...bench, ...bench.deps, engine: { batch } });
  const client = { query: async () => ({ rows: [] }) } as unknown as Client;
  const events = await bench.store.readAll(beginning, 100);
  const [ofRetry, ofBatch]: [Ended[], Ended[]] = [[], []];
  await process(client, events, (ended) => ofRetry.push(ended));
  await process(client, events, (ended) => ofBatch.push(ended));
  for (const ended of ofRetry) ended(false);
  expect(heard).toEqual(["a retry"]);
  for (const ended of ofBatch) ended(true);
  expect(heard).toEqual(["a retry", "a batch"]);
});
