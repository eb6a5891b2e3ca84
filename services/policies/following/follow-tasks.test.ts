import { describe, expect, test } from "vitest";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { beginning } from "../../../infra/event-store/event-store.ts";
import type { Jobs, JobToAdd } from "../../../infra/jobs/jobs.ts";
import { createTaskBench, testSettings } from "../../../testing/services/task-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { asListed, takeUp } from "./follow-tasks.ts";

const noJobs: Omit<Jobs, "add"> = {
  work: async () => async () => undefined,
  standing: async () => {
    throw new Error("No queue.");
  },
  pending: async () => 0,
  wipe: async () => undefined,
  close: async () => undefined,
};

/** A cancelled order, whose tasks fall due together, is taken up while `isNew` of them are new on the list. */
async function takenUp(isNew: (kind: string) => boolean) {
  const bench = createTaskBench();
  const { orderId } = await placeAndPay(bench.deps);
  await cancelOrder(bench.deps, orderId, "customerRequest", customer);
  const tasks = asListed(
    orderId,
    owed(await bench.order(orderId), bench.now().toISOString(), testSettings),
  ).filter(({ dueAt }) => dueAt <= bench.now());
  const changed = tasks.filter(({ kind }) => isNew(kind));
  const queued: JobToAdd[] = [];
  const [asked, taken]: [string[], string[]] = [[], []];
  await takeUp(
    {
      ...bench,
      ...bench.deps,
      jobs: { ...noJobs, add: async (jobs) => void queued.push(...jobs) },
      horizonMs: 60_000,
      leave: (_, name) => {
        asked.push(name);
        return false;
      },
      take: (own) => {
        taken.push(...own.map(({ name }) => name));
        return [];
      },
    },
    { followersOf: async () => [], list: async () => changed },
    await bench.store.readAll(beginning, 100),
  );
  return { names: changed.map(({ name }) => name), tasks, queued, asked, taken };
}

describe("New tasks that are due", () => {
  test("are visited by the process that lists them", async () => {
    const { names, tasks, queued, asked, taken } = await takenUp(() => true);
    expect(new Set(tasks.map(({ dueAt }) => dueAt.getTime())).size).toBe(1);
    expect(names.length).toBeGreaterThan(1);
    expect([asked, taken, queued]).toEqual([names, names, []]);
  });

  test("go to the queue if one listed before is due in the same millisecond: its job does both", async () => {
    const { names, tasks, queued, asked, taken } = await takenUp((kind) => kind === "mail");
    expect(names).toHaveLength(1);
    expect([asked, taken]).toEqual([[], []]);
    expect(queued).toMatchObject([{ id: `${tasks[0]?.subjectId}-${tasks[0]?.dueAt.getTime()}`, delayMs: 0 }]);
  });
});
