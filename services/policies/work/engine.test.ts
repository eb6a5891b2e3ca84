import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { settled } from "../../../testing/services/driven-clock.ts";
import {
  committedBatch,
  createEngineBench,
  type EngineBench,
  heldBy,
  mailDue,
  ownMemory,
  sentOnce,
  slowMailer,
  startAs,
  withLink,
  withReads,
} from "../../../testing/services/engine-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndAsk, placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { unwatchedTasks } from "../task-dependencies.ts";
import type { EngineParts } from "./engine.ts";
import type { WorkTable } from "./work-table.ts";

/** A vault that opens nothing until it is released: between reading an order and sending its mail. */
function slowVault({ bench: { deps } }: EngineBench): Pick<EngineParts, "deps"> & { release(): void } {
  const released = Promise.withResolvers<void>();
  const open: typeof deps.vault.open = async (recordId, schema) => {
    await released.promise;
    return deps.vault.open(recordId, schema);
  };
  return { deps: { ...deps, vault: { ...deps.vault, open } }, release: released.resolve };
}

describe("A worker", () => {
  it("performs all that an order is owed, and lets go of it", async () => {
    const on = createEngineBench();
    const worker = startAs(on, "owner");
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(20, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect((await on.bench.order(orderId)).mails.owed).toEqual([]);
    expect(await heldBy(on, "owner")).toEqual([]);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("looks at a subject when it falls due, though nothing happens", async () => {
    const on = createEngineBench();
    const worker = on.start();
    await settled();
    const { orderId } = await placeAndAsk(on.bench.deps);
    await worker.follow();
    on.time.skipWallClock(86_390);
    await on.time.pass(9);
    expect((await on.bench.order(orderId)).phase).toBe("AwaitingPayment");
    await on.time.pass(2);
    expect((await on.bench.order(orderId)).phase).toBe("Cancelled");
    await worker.engine.stop();
  });

  it("sees what happens to an order while it is at work on it", async () => {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    const worker = on.start({ mailer: slow.mailer });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await worker.follow();
    await settled();
    expect(slow.send).toHaveBeenCalledOnce();
    await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
    await worker.follow();
    await settled();
    // Its money goes back while the mail still hangs.
    expect((await on.bench.order(orderId)).refunds.map(({ status }) => status)).toEqual(["issued"]);
    slow.release();
    await on.pass(5, worker);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("stops after what is under way, and begins nothing more", async () => {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    const wakeAnother = vi.fn(async () => undefined);
    const worker = on.start({ mailer: slow.mailer, wakeAnother });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await worker.follow();
    await settled();
    const stopped = worker.engine.stop();
    slow.release();
    await stopped;
    expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
    expect(on.bench.automation.sent).toEqual([]);
    expect(wakeAnother).toHaveBeenCalledOnce();
    // All is free at once.
    const heir = on.start();
    await on.pass(10, heir);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    sentOnce(on);
    await heir.engine.stop();
  });

  it("frees at once, when it stops, all but what it is sending", async () => {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    const send = vi.fn<EngineParts["mailer"]["send"]>().mockImplementation(on.bench.mailer.send);
    const worker = startAs(on, "owner", { mailer: { ...on.bench.mailer, send } });
    await settled();
    const sent = await placeAndSubmit(on.bench.deps);
    await on.pass(2, worker);
    expect(await on.bench.eventTypes(sent.orderId)).toContain("SubmittedToGRO");
    send.mockImplementation(slow.send);
    // One more than there are places for mails.
    for (let nth = 0; nth < 9; nth += 1) await placeAndSubmit(on.bench.deps);
    await worker.follow();
    await settled();
    expect([slow.send.mock.calls.length, (await heldBy(on, "owner")).length]).toEqual([8, 10]);
    const stopped = worker.engine.stop();
    await settled();
    expect(await heldBy(on, "owner")).toHaveLength(8);
    const heir = on.start();
    await on.pass(10, heir);
    expect(await on.bench.eventTypes(sent.orderId)).toContain("SensitiveDataPurged");
    slow.release();
    await stopped;
    await on.pass(10, heir);
    sentOnce(on);
    await heir.engine.stop();
  });

  it("stops without what waits for a heartbeat that may never come", async () => {
    const on = createEngineBench();
    const { link, table } = withLink(on);
    const slow = slowVault(on);
    const worker = on.start({ deps: slow.deps, table });
    await settled();
    await placeAndSubmit(on.bench.deps);
    await worker.follow();
    link.isCut = true;
    await on.time.pass(7);
    slow.release();
    await settled();
    const stopped = vi.fn();
    void worker.engine.stop().then(stopped);
    await settled();
    expect(stopped).toHaveBeenCalled();
    expect(on.bench.mailer.sent).toEqual([]);
  });
});

describe("Two workers", () => {
  it("never own the same order, whoever follows and whoever takes", async () => {
    const on = createEngineBench();
    const [one, other] = [on.start(), on.start()];
    await settled();
    for (let nth = 0; nth < 6; nth += 1) {
      await placeAndSubmit(on.bench.deps);
      await on.pass(2, nth % 2 === 0 ? one : other);
      await Promise.all([one.engine.look(), other.engine.look()]);
    }
    await on.pass(20, one);
    sentOnce(on);
    expect(on.bench.automation.sent).toHaveLength(6);
    await Promise.all([one.engine.stop(), other.engine.stop()]);
  });

  it("an order whose mail hangs stays with its worker as long as that lives", async () => {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    const owner = on.start({ mailer: slow.mailer });
    const other = on.start();
    await settled();
    await placeAndSubmit(on.bench.deps);
    await owner.follow();
    await on.pass(120, other);
    expect([slow.send.mock.calls.length, on.bench.mailer.sent]).toEqual([1, []]);
    slow.release();
    await on.pass(10, other);
    sentOnce(on);
    await Promise.all([owner.engine.stop(), other.engine.stop()]);
  });

  it("what a cut-off worker owned is taken within ten seconds, and it begins no mail of its own then", async () => {
    const on = createEngineBench();
    const plain = on.rows.tableOf();
    let isCutOff = false;
    const away = Promise.withResolvers<never>();
    const slow = slowVault(on);
    const send = vi.fn(on.bench.mailer.send);
    const owner = on.start({
      deps: slow.deps,
      mailer: { ...on.bench.mailer, send },
      table: { ...plain, beat: (worker) => (isCutOff ? away.promise : plain.beat(worker)) },
    });
    const other = on.start();
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await owner.follow();
    await settled();
    isCutOff = true;
    await on.pass(7, other);
    expect(on.bench.mailer.sent).toEqual([]);
    // It wakes up before others have taken over: already it begins nothing.
    slow.release();
    await settled();
    expect(send).not.toHaveBeenCalled();
    await on.pass(2, other);
    expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
    expect(send).not.toHaveBeenCalled();
    sentOnce(on);
    await other.engine.stop();
  });
});

describe("A process", () => {
  it("owns a thousand subjects at a time, and takes more as it lets go", async () => {
    const on = createEngineBench();
    const table = on.rows.tableOf();
    const taken = new Set<string>();
    const take: WorkTable["take"] = async (taking) => {
      const claims = await table.take(taking);
      for (const { subjectId } of claims) taken.add(subjectId);
      return claims;
    };
    const read = Promise.withResolvers<void>();
    const store = withReads(on.bench.store, () => read.promise);
    const worker = startAs(on, "owner", { ...ownMemory(on, store), table: { ...table, take } });
    const follower = on.start({ mayAct: () => false });
    await settled();
    const tasks = [mailDue(on)];
    const due = Array.from({ length: 1_300 }, () => ({ subjectId: randomUUID(), tasks }));
    (await committedBatch(on, worker, due.slice(0, 950))).heard();
    (await committedBatch(on, follower, due.slice(950))).heard();
    await on.time.pass(10);
    expect(await heldBy(on, "owner")).toHaveLength(1_000);
    expect(taken.size).toBe(50);
    // None is in the log: each is let go after a look.
    read.resolve();
    await on.time.pass(1);
    expect(taken.size).toBeGreaterThanOrEqual(350);
    await Promise.all([worker.engine.stop(), follower.engine.stop()]);
  });

  it("takes with a batch what falls due within ten seconds, and leaves the rest to be taken when it is due", async () => {
    const on = createEngineBench();
    const worker = on.start();
    await settled();
    const due = [0, 10, 11].map((seconds) => ({ subjectId: randomUUID(), tasks: [mailDue(on, seconds)] }));
    const batch = worker.engine.batch(due, on.time.now());
    expect([...batch.takes]).toEqual(due.slice(0, 2).map(({ subjectId }) => subjectId));
    batch.ended([]);
    await worker.engine.stop();
  });

  it("begins nothing of what it owns while it may not act", async () => {
    const on = createEngineBench();
    let mayAct = true;
    const slow = slowVault(on);
    const worker = on.start({ deps: slow.deps, mayAct: () => mayAct });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await worker.follow();
    await settled();
    mayAct = false;
    slow.release();
    await on.pass(10, worker);
    expect(on.bench.mailer.sent).toEqual([]);
    mayAct = true;
    await on.pass(10, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    sentOnce(on);
    await worker.engine.stop();
  });

  it("takes nothing while its lease is old", async () => {
    const on = createEngineBench();
    const { link, table } = withLink(on);
    const take = vi.fn(table.take);
    const worker = on.start({ table: { ...table, take } });
    await settled();
    link.isCut = true;
    await on.time.pass(7);
    take.mockClear();
    await worker.engine.look();
    const due = [{ subjectId: randomUUID(), tasks: [mailDue(on)] }];
    const batch = worker.engine.batch(due, on.time.now());
    batch.ended([]);
    expect([take.mock.calls, batch.worker, [...batch.takes]]).toEqual([[], undefined, []]);
    await worker.engine.stop();
  });

  it("says what was due for longer than five seconds, and owned by nobody", async () => {
    const on = createEngineBench();
    let mayAct = false;
    const takenLate = vi.fn();
    const worker = on.start({ mayAct: () => mayAct, taskWatch: { ...unwatchedTasks, takenLate } });
    await settled();
    await placeAndSubmit(on.bench.deps);
    await worker.follow();
    await on.time.pass(6);
    mayAct = true;
    await on.time.pass(2);
    expect(takenLate).toHaveBeenCalledExactlyOnceWith(1);
    expect(on.bench.logLines.join("")).toContain("subjects were taken late");
    await worker.engine.stop();
  });

  it("says nothing of the kind of what a dead worker owned", async () => {
    const on = createEngineBench();
    const { link, table } = withLink(on);
    const slow = slowVault(on);
    const takenLate = vi.fn();
    const owner = on.start({ deps: slow.deps, table });
    const heir = on.start({ taskWatch: { ...unwatchedTasks, takenLate } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await owner.follow();
    link.isCut = true;
    await on.pass(12, heir);
    expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
    expect(takenLate).not.toHaveBeenCalled();
    slow.release();
    await heir.engine.stop();
  });
});
