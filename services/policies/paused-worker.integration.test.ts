import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { submissionKeyOf } from "../../domain/order/payment/provider-keys.ts";
import { type SandboxInTest, sandboxInTest } from "../../testing/providers/sandbox-fixture.ts";
import {
  createPerformTask,
  createTaskBench,
  type PerformTask,
  type TaskBench,
} from "../../testing/services/task-fixture.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import type { Automation } from "../providers/gro/automation.ts";
import { createAutomationClient } from "../providers/gro/automation-client.ts";

/**
 * One worker pauses between SubmissionStarted and its request while another continues. The automation service is the
 * sandbox, over HTTP.
 */

let box: SandboxInTest;
let bench: TaskBench;
let automation: Automation;
beforeEach(async () => {
  box = await sandboxInTest();
  bench = createTaskBench({ startsAt: new Date().toISOString() });
  automation = createAutomationClient({
    ...box.addresses.automation,
    now: () => new Date(),
    newId: randomUUID,
  });
});
afterEach(() => box.close());

const workerWith = (service: Automation): PerformTask => createPerformTask({ ...bench, automation: service });

/** A worker whose process pauses before its first request; `reached` resolves when it does. */
function pausingWorker() {
  const reached = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  const perform = workerWith({
    ...automation,
    submit: async (application) => {
      reached.resolve();
      await woken.promise;
      return automation.submit(application);
    },
  });
  return { perform, reached: reached.promise, wake: woken.resolve };
}

/** @returns the order, once the pausing worker began its first attempt and another sent the second */
async function overtaken(pausing: ReturnType<typeof pausingWorker>) {
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.perform(orderId, "mail-confirmation");
  const paused = pausing.perform(orderId, "submit-1");
  await pausing.reached;
  const other = workerWith(automation);
  bench.wait(60);
  await other(orderId, "ask-submission-1-1");
  bench.wait(60);
  await other(orderId, "submit-2");
  return { orderId, paused };
}

const acceptedKeys = async () => {
  const { rows } = await box.pool.query<{ key: string }>(
    "select key from sandbox.submissions where accepted_at is not null order by key",
  );
  return rows.map(({ key }) => key);
};

describe("a worker that paused between starting an attempt and its request", () => {
  test("sends nothing that the GRO accepts once another worker has sent the next attempt", async () => {
    const pausing = pausingWorker();
    const { orderId, paused } = await overtaken(pausing);
    pausing.wake();
    await paused;
    expect(await acceptedKeys()).toEqual([submissionKeyOf(orderId, 2)]);
    expect((await bench.order(orderId)).submission).toMatchObject({ attempt: 2 });
  });

  test("sends nothing that the GRO accepts after a restart of the service either", async () => {
    const pausing = pausingWorker();
    const { orderId, paused } = await overtaken(pausing);
    box = await box.restart();
    const restarted = createAutomationClient({
      ...box.addresses.automation,
      now: () => new Date(),
      newId: randomUUID,
    });
    automation.submit = restarted.submit;
    automation.ask = restarted.ask;
    pausing.wake();
    await paused;
    expect(await acceptedKeys()).toEqual([submissionKeyOf(orderId, 2)]);
  });

  test("is accepted twice by a service that forgets closed keys (control)", async () => {
    const pausing = pausingWorker();
    const { orderId, paused } = await overtaken(pausing);
    await box.pool.query("delete from sandbox.submissions where accepted_at is null");
    pausing.wake();
    await paused;
    expect(await acceptedKeys()).toEqual([submissionKeyOf(orderId, 1), submissionKeyOf(orderId, 2)]);
  });
});
