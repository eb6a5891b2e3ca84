import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FaultProxy } from "../../testing/event-store/fault-proxy.ts";
import { describeBullMqOn } from "../../testing/infra/jobs-contract.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { patienceMs, soon } from "../../testing/setup/patience.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { createLog } from "../process/log.ts";
import { createBullMqJobs } from "./bullmq-jobs.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describeBullMqOn("BullMQ's Postgres backend", () => database.connectionString);

it(
  "is a transient error when a connection to Postgres falls silent, and works on another",
  async () => {
    const { proxy, connectionString } = await FaultProxy.before(database.connectionString);
    const log = createLog("silent");
    const silent = vi.fn();
    const jobs = await createBullMqJobs({
      ...{ connectionString, queueName: "silence", log, onAway: silent, silentAfterMs: 2_000 },
    });
    const seen: string[] = [];
    await jobs.work({ note: async (_, job) => void seen.push(job.id) }, { concurrency: 1 });
    proxy.swallowAnswers(true);
    const fault = await jobs.add([{ kind: "note", id: "lost", data: {} }]).catch((error: unknown) => error);
    expect(isTransientError(fault), String(fault)).toBe(true);
    await vi.waitFor(() => expect(silent).toHaveBeenCalled(), soon);
    proxy.swallowAnswers(false);
    await vi.waitFor(() => jobs.add([{ kind: "note", id: "kept", data: {} }]), soon);
    await vi.waitFor(() => expect(seen).toContain("kept"), soon);
    await jobs.close();
    await proxy.close();
  },
  patienceMs,
);
