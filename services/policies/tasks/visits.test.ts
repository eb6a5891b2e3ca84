import { describe, expect, onTestFinished, test, vi } from "vitest";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import type { JobToAdd } from "../../../infra/jobs/jobs.ts";
import { createTaskBench, type TaskBench, testSettings } from "../../../testing/services/task-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { atEachPlace, interrupted } from "../../../testing/system/interruption-fixture.ts";
import { placeAndPay, placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { proposeRefund } from "../../orders/staff/proposals.ts";
import { addRetryOf } from "../following/follow-tasks.ts";
import { createPerformer, TaskFailed } from "../perform-task.ts";
import { taskHandler, visitsFor } from "./arrange-visits.ts";
import { createVisits } from "./visits.ts";

/** A job that no other worker has. */
const job = { id: "a-job", triesBefore: 0, isHeld: async () => true };

/** A process that visits, with or without the follower that derives tasks. */
function processOf(bench: TaskBench, { isFollowing = true, retried = [] as string[] } = {}) {
  return createVisits({
    ...bench,
    performer: createPerformer(bench),
    isFollowing: () => isFollowing,
    retry: async (_, { name }) => void retried.push(name),
  });
}

/** A mail server that does not answer until released. */
function slowMail(bench: TaskBench) {
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { send } = bench.mailer;
  bench.mailer.send = async (mail) => {
    reached.resolve();
    await answered.promise;
    return send(mail);
  };
  return { reached: reached.promise, answer: answered.resolve };
}

/** Submitted; a mail about it is due, and the purge. */
async function submitted(bench: TaskBench) {
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.perform(orderId, "mail-confirmation");
  await bench.perform(orderId, "submit-1");
  bench.wait(5);
  const [mail = "none", purge = "none"] = await bench.due(orderId);
  return { orderId, mail, purge };
}

/** Visits an order for its first task that is due. */
async function visitNow(bench: TaskBench, orderId: string, visits = processOf(bench)): Promise<void> {
  const [name = "none"] = await bench.due(orderId);
  await visits.visit(orderId, name, job);
}

const namesOf = async (bench: TaskBench, orderId: string) =>
  owed(await bench.order(orderId), bench.now().toISOString(), testSettings).map(({ name }) => name);

describe("A visit", () => {
  test("performs what is due, and what follows from it", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    await visitNow(bench, orderId);
    const types = await bench.eventTypes(orderId);
    expect(types).toEqual(
      expect.arrayContaining(["ConfirmationSent", "SubmissionStarted", "SubmittedToGRO"]),
    );
    expect(await namesOf(bench, orderId)).toEqual(["purge-application-1-1"]);
    expect(bench.listed).toEqual([]);
    bench.wait(5);
    await visitNow(bench, orderId);
    expect(await bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(await bench.due(orderId)).toEqual([]);
  });

  test("reads and verifies the order once, before it acts", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const load = vi.spyOn(bench.deps.orders, "load");
    await visitNow(bench, orderId);
    // Once in this test, to find the first task.
    expect(load).toHaveBeenCalledTimes(2);
  });

  test("asks the log again after a slow answer: another worker may have sent the mail meanwhile", async () => {
    const bench = createTaskBench();
    const { orderId, mail } = await submitted(bench);
    const { load } = bench.deps.orders;
    vi.spyOn(bench.deps.orders, "load").mockImplementationOnce(async (id) => {
      const loaded = await load(id);
      await bench.perform(orderId, mail);
      bench.wait(2);
      return loaded;
    });
    const before = bench.mailer.sent.length;
    await processOf(bench).visit(orderId, mail, job);
    expect(bench.mailer.sent).toHaveLength(before + 1);
    expect(await bench.due(orderId)).not.toContain(mail);
  });

  test("leaves what follows to the process that follows the log", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    await visitNow(bench, orderId, processOf(bench, { isFollowing: false }));
    expect(await bench.due(orderId)).toEqual(["submit-1"]);
  });

  test("leaves a task with another due time to its own job, perhaps in another process", async () => {
    const bench = createTaskBench();
    const { orderId, mail, purge } = await submitted(bench);
    await processOf(bench).visit(orderId, mail, job);
    expect(await bench.due(orderId)).toEqual([purge]);
  });

  test("leaves what follows in the very millisecond of another job's task to that job", async () => {
    const bench = createTaskBench();
    const { orderId, mail, purge } = await submitted(bench);
    await bench.perform(orderId, mail);
    const [payment] = (await bench.order(orderId)).payments;
    bench.wait(-1);
    const refund = { intentId: payment?.intentId ?? "none", amountPence: 100, approvalAbovePence: null };
    const act = { by: { userId: "ann" }, reason: "goodwill", correlationId: "a-click" } as const;
    await proposeRefund(bench.deps, orderId, refund, act);
    bench.wait(1);
    await processOf(bench).visit(orderId, "refund-1", job);
    expect(await bench.eventTypes(orderId)).toContain("RefundIssued");
    const left = await bench.due(orderId);
    expect(left).toEqual(expect.arrayContaining([purge, expect.stringMatching(/^mail-refunded-/)]));
    await processOf(bench, { isFollowing: false }).visit(orderId, purge, job);
    expect((await namesOf(bench, orderId)).filter((name) => left.includes(name))).toEqual([]);
  });

  test("fails when its task does, and is then repeated by its job", async () => {
    const bench = createTaskBench();
    const { orderId, mail } = await submitted(bench);
    bench.mailer.mood = "down";
    await expect(processOf(bench).visit(orderId, mail, job)).rejects.toThrow(TaskFailed);
    expect(bench.listed).toEqual([`postpone ${mail}`]);
  });

  test("is repeated for all that was due with its task, though this is done by then", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndPay(bench.deps);
    await bench.perform(orderId, "mail-confirmation");
    await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    const dueAtOnce = owed(await bench.order(orderId), bench.now().toISOString(), testSettings);
    const mail = dueAtOnce.find(({ kind }) => kind === "mail")?.name;
    const { name = "none", dueAt = "" } = dueAtOnce.find(({ kind }) => kind !== "mail") ?? {};
    expect(dueAtOnce.map((task) => task.dueAt)).toEqual(dueAtOnce.map(() => dueAt));
    bench.mailer.mood = "down";
    const visits = processOf(bench);
    await expect(visits.visit(orderId, name, job, { dueAt })).rejects.toThrow(TaskFailed);
    expect(await bench.due(orderId)).toContain(mail);
    bench.mailer.mood = "well";
    await visits.visit(orderId, name, job, { dueAt });
    expect(await bench.due(orderId)).not.toContain(mail);
  });

  test("for a task that a sweep took for lost leaves others due with it, which another process may have", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndPay(bench.deps);
    await bench.perform(orderId, "mail-confirmation");
    await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    const tasks = owed(await bench.order(orderId), bench.now().toISOString(), testSettings);
    const mail = tasks.find(({ kind }) => kind === "mail")?.name;
    const [refund] = tasks.filter(({ kind }) => kind === "requestRefund");
    if (!refund) throw new Error("No refund is due.");
    const [lost] = visitsFor([{ ...refund, subjectId: orderId, dueAt: new Date(refund.dueAt) }]);
    if (!lost) throw new Error("No visit is made.");
    const handler = taskHandler(processOf(bench, { isFollowing: false }));
    await handler(lost.data, job);
    expect(await bench.eventTypes(orderId)).toContain("RefundRequested");
    // The list has it still, because the follower waits for the log.
    await handler(lost.data, job);
    expect(await bench.due(orderId)).toContain(mail);
  });

  test("makes a job of a following task that fails, which is tried once", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const retried: string[] = [];
    bench.automation.statuses = () => Promise.reject(new TypeError("Broken."));
    await visitNow(bench, orderId, processOf(bench, { retried }));
    expect(retried).toEqual(["submit-1"]);
    expect(bench.listed).toEqual(["postpone submit-1"]);
  });

  test("has a failed task repeated alone while others due with it are under way", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const [confirmation = "none"] = await bench.due(orderId);
    const jobs: JobToAdd[] = [];
    const add = async (added: readonly JobToAdd[]) => void jobs.push(...added);
    const visits = createVisits({
      ...bench,
      performer: createPerformer(bench),
      isFollowing: () => true,
      retry: (subjectId, task) => addRetryOf({ jobs: { add }, log: bench.log }, subjectId, task),
    });
    const { reached, answer } = slowMail(bench);
    const visiting = visits.visit(orderId, confirmation, job);
    await reached;
    await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    bench.deps.payments.down = true;
    for (const name of await bench.due(orderId)) visits.leave(orderId, name);
    await vi.waitFor(() => expect(jobs).toHaveLength(1));
    bench.deps.payments.down = false;
    const elsewhere = taskHandler(processOf(bench))(jobs[0]?.data ?? {}, job);
    await vi.waitFor(async () => expect(await bench.eventTypes(orderId)).toContain("RefundIssued"));
    answer();
    await Promise.all([visiting, elsewhere]);
    const sent = bench.mailer.sent.map(({ messageId }) => messageId);
    expect(sent).toEqual([...new Set(sent)]);
  });

  test("delays no other task of the order while one is slow", async () => {
    const bench = createTaskBench();
    const { orderId, mail, purge } = await submitted(bench);
    const { reached, answer } = slowMail(bench);
    const visits = processOf(bench);
    const visiting = visits.visit(orderId, mail, job);
    await reached;
    await visits.visit(orderId, purge, job);
    await expect.poll(() => bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    answer();
    await visiting;
    expect(await bench.due(orderId)).toEqual([]);
  });

  test("keeps a slow task that follows from the sweeps of other processes", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { submit } = bench.automation;
    bench.automation.submit = async (...given) => {
      reached.resolve();
      await answered.promise;
      return submit(...given);
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const visiting = visitNow(bench, orderId);
    await reached.promise;
    vi.advanceTimersByTime(1_499);
    expect(bench.listed).toEqual([]);
    const hold = vi.spyOn(bench.list, "hold");
    await vi.advanceTimersByTimeAsync(1);
    expect(bench.listed).toEqual(["hold submit-1"]);
    bench.wait(5);
    await vi.advanceTimersByTimeAsync(5_000);
    const [first, second] = hold.mock.calls.map(([, , times]) => times);
    expect(second?.heldUntil).toEqual(first?.until);
    expect(second?.until.getTime()).toBe((first?.until.getTime() ?? 0) + 5_000);
    answered.resolve();
    await visiting;
  });

  test("tries again to keep a slow task from the sweeps until it is kept", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const [mail = "none"] = await bench.due(orderId);
    const { reached, answer } = slowMail(bench);
    const answers = [
      () => Promise.reject(new Error("Connection lost.")),
      async () => false,
      async () => true,
    ];
    const hold = vi
      .spyOn(bench.list, "hold")
      .mockImplementation(async () => (await answers.shift()?.()) ?? true);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const visiting = processOf(bench).visit(orderId, mail);
    await reached;
    await vi.advanceTimersByTimeAsync(1_500 + 2 * 2_000);
    expect(hold).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(hold).toHaveBeenCalledTimes(3);
    answer();
    await visiting;
  });

  test("makes a job of a task without one that it would begin late", async () => {
    const bench = createTaskBench();
    const { orderId, mail, purge } = await submitted(bench);
    const retried: string[] = [];
    const visits = processOf(bench, { retried });
    const visiting = visits.visit(orderId, purge);
    expect(visits.leave(orderId, mail)).toBe(true);
    await visiting;
    expect(retried).toEqual([mail]);
    expect(await bench.due(orderId)).toEqual([mail]);
    await visits.visit(orderId, mail, job);
    expect(await bench.due(orderId)).toEqual([]);
  });

  test("performs for a job what it has left to the queue, and ends the job with the task", async () => {
    const bench = createTaskBench();
    const { orderId, mail, purge } = await submitted(bench);
    const { reached, answer } = slowMail(bench);
    const [purging, purged] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { confirmLog } = bench;
    const visits = processOf({
      ...bench,
      confirmLog: async () => {
        purging.resolve();
        await purged.promise;
        return confirmLog();
      },
    });
    const visiting = visits.visit(orderId, purge);
    await purging.promise;
    const ended = vi.fn();
    const asJob = visits.visit(orderId, mail, job).then(ended);
    purged.resolve();
    await reached;
    await expect.poll(() => bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(ended).not.toHaveBeenCalled();
    answer();
    await Promise.all([visiting, asJob]);
    expect(await bench.due(orderId)).toEqual([]);
  });

  test("fails a job that came while it ran if the task of the job does", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const [mail = "none"] = await bench.due(orderId);
    const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    bench.mailer.send = async () => {
      reached.resolve();
      await answered.promise;
      throw new TypeError("Broken.");
    };
    const visits = processOf(bench);
    const visiting = expect(visits.visit(orderId, mail)).rejects.toThrow(TaskFailed);
    await reached.promise;
    const asJob = expect(visits.visit(orderId, mail, job)).rejects.toThrow(TaskFailed);
    answered.resolve();
    await Promise.all([visiting, asJob]);
  });

  test("ends a job that came while it ran and named nothing that is owed", async () => {
    const bench = createTaskBench();
    const { orderId, mail } = await submitted(bench);
    const { reached, answer } = slowMail(bench);
    const visits = processOf(bench);
    const visiting = visits.visit(orderId, mail, job);
    await reached;
    await visits.visit(orderId, "expire", job);
    answer();
    await visiting;
  });

  test("takes on tasks of later events until it is over", async () => {
    const bench = createTaskBench();
    const { orderId, mail } = await submitted(bench);
    const { reached, answer } = slowMail(bench);
    const visits = processOf(bench, { isFollowing: false });
    expect(visits.leave(orderId, mail)).toBe(false);
    const visiting = visits.visit(orderId, mail, job);
    await reached;
    expect(visits.leave(orderId, "purge-application-1-1")).toBe(true);
    await expect.poll(() => bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    answer();
    await visiting;
    expect(visits.leave(orderId, "purge-application-1-1")).toBe(false);
  });

  test("of an order that another process visits at once does nothing twice", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const [name = ""] = await bench.due(orderId);
    await Promise.all([
      processOf(bench).visit(orderId, name, job),
      processOf(bench).visit(orderId, name, job),
    ]);
    const types = (await bench.eventTypes(orderId)).filter((type) => type !== "MailSent");
    expect(types.length).toBe(new Set(types).size);
    expect(bench.automation.sent).toHaveLength(1);
  });

  test("may die at any of its steps: what it left is done later, and the GRO gets one application", async () => {
    const places = await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const { orderId } = await placeAndSubmit(bench.deps);
      const [name = "none"] = await bench.due(orderId);
      const died = await world.dyingBefore(nth, () => processOf(bench).visit(orderId, name, job));
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

  test("settles a task that is no longer owed, and waits for one listed too early", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndPay(bench.deps);
    await processOf(bench).visit(orderId, "expire", job);
    await processOf(bench).visit(orderId, "unconfirmed", job);
    expect(bench.listed).toEqual(["settle expire", "await unconfirmed"]);
  });

  test("of an unreadable order does nothing, and comes again later", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const unreadable = new StreamUnreadable(`order-${orderId}`, "changed", "Event 1 was changed.");
    bench.deps.orders.load = () => Promise.reject(unreadable);
    await processOf(bench).visit(orderId, "mail-confirmation", job);
    expect(bench.mailer.sent).toEqual([]);
    expect(bench.listed).toEqual(["postpone mail-confirmation"]);
  });
});
