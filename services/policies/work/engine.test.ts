import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { EventStoreUnreachable } from "../../../infra/event-store/kurrent/kurrent-errors.ts";
import { trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import { withAppend } from "../../../testing/event-store/handler-fixture.ts";
import { settled } from "../../../testing/services/driven-clock.ts";
import {
  createEngineBench,
  type EngineBench,
  heldBy,
  sentOnce,
  slowMailer,
  startAs,
} from "../../../testing/services/engine-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndAsk, placeAndPay, placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import type { Mailer } from "../../providers/smtp/mailer.ts";

describe("A worker", () => {
  it("performs all that an order is owed, and lets go of it", async () => {
    const on = createEngineBench();
    const id = randomUUID();
    const worker = startAs(on, id);
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(20, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect((await on.bench.order(orderId)).mails.owed).toEqual([]);
    expect(await heldBy(on, id)).toEqual([]);
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

  it("stops without what waits for a heartbeat that may never come", async () => {
    const on = createEngineBench();
    const plain = on.rows.tableOf();
    const composed = Promise.withResolvers<void>();
    let isCutOff = false;
    const open: typeof on.bench.deps.vault.open = async (recordId, schema) => {
      await composed.promise;
      return on.bench.deps.vault.open(recordId, schema);
    };
    const worker = on.start({
      deps: { ...on.bench.deps, vault: { ...on.bench.deps.vault, open } },
      table: {
        ...plain,
        beat: (id) => (isCutOff ? Promise.reject(new EventStoreUnreachable("No response.")) : plain.beat(id)),
      },
    });
    await settled();
    await placeAndSubmit(on.bench.deps);
    await worker.follow();
    isCutOff = true;
    await on.time.pass(7);
    composed.resolve();
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
    const read = Promise.withResolvers<void>();
    // Between reading the order and sending its mail.
    const open: typeof on.bench.deps.vault.open = async (recordId, schema) => {
      await read.promise;
      return on.bench.deps.vault.open(recordId, schema);
    };
    const send = vi.fn(on.bench.mailer.send);
    const owner = on.start({
      deps: { ...on.bench.deps, vault: { ...on.bench.deps.vault, open } },
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
    read.resolve();
    await settled();
    expect(send).not.toHaveBeenCalled();
    await on.pass(4, other);
    expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
    expect(send).not.toHaveBeenCalled();
    sentOnce(on);
    await other.engine.stop();
  });
});

describe("A task that fails", () => {
  /** Seconds between attempts at a mail. */
  async function attempts(on: EngineBench, seconds: number): Promise<number[]> {
    const times: number[] = [];
    const send = async () => {
      times.push(Math.round(on.time.clock.monotonicMs() / 1000));
      throw new TypeError("Cannot be written.");
    };
    const worker = on.start({ mailer: { ...on.bench.mailer, send } });
    await settled();
    await placeAndSubmit(on.bench.deps);
    await on.pass(seconds, worker);
    await worker.engine.stop();
    return times.slice(1).map((at, nth) => at - (times[nth] ?? 0));
  }

  it("is tried again after 1, 2, 4 seconds and so on, up to five minutes", async () => {
    const gaps = await attempts(createEngineBench(), 2_000);
    expect(gaps.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect(new Set(gaps.slice(9))).toEqual(new Set([300]));
  });

  it("of destruction is tried again within ten seconds", async () => {
    const on = createEngineBench();
    const { destroy } = on.bench.deps.vault;
    let isBroken = true;
    let tries = 0;
    const vault = {
      ...on.bench.deps.vault,
      destroy: async (refs: readonly string[]) => {
        tries += 1;
        if (isBroken) throw new TypeError("Cannot be erased.");
        return destroy(refs);
      },
    };
    const worker = on.start({ deps: { ...on.bench.deps, vault } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(300, worker);
    const before = tries;
    await on.pass(60, worker);
    expect(tries - before).toBeGreaterThanOrEqual(5);
    isBroken = false;
    await on.pass(11, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    await worker.engine.stop();
  });

  it("for long delays no destruction that falls due meanwhile", async () => {
    const on = createEngineBench();
    let accepts: readonly string[] = [];
    const send: Mailer["send"] = async (mail) => {
      if (!accepts.includes(mail.subject)) throw new TypeError("Cannot be written.");
      await on.bench.mailer.send(mail);
    };
    const worker = on.start({ mailer: { ...on.bench.mailer, send } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(600, worker);
    // The order goes on, and its next mail fails.
    accepts = ["confirmation"];
    await on.pass(215, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SubmittedToGRO");
    await on.pass(10, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    await worker.engine.stop();
  });

  it("waits for its time, though each attempt appends something", async () => {
    const on = createEngineBench();
    const { payments } = on.bench.deps;
    const refund = vi.fn((wanted: Parameters<typeof payments.refund>[0]) =>
      payments.refund({ ...wanted, refundId: randomUUID(), amountPence: 1 }),
    );
    const worker = on.start({ deps: { ...on.bench.deps, payments: { ...payments, refund } } });
    await settled();
    const { orderId } = await placeAndPay(on.bench.deps);
    await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
    await on.pass(30, worker);
    expect(refund.mock.calls.length).toBeGreaterThan(3);
    expect(refund.mock.calls.length).toBeLessThan(7);
    await worker.engine.stop();
  });

  it("delays no other, and a mail server that hangs delays no destruction", async () => {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    let isSlow = false;
    const send: Mailer["send"] = (mail) => (isSlow ? slow.send(mail) : on.bench.mailer.send(mail));
    const worker = on.start({ mailer: { ...on.bench.mailer, send } });
    await settled();
    const waiting = await Promise.all([1, 2].map(() => placeAndSubmit(on.bench.deps)));
    await on.pass(1, worker);
    isSlow = true;
    // More than there are places for mails.
    for (let nth = 0; nth < 12; nth += 1) await placeAndSubmit(on.bench.deps);
    await on.pass(10, worker);
    for (const { orderId } of waiting)
      expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(slow.send.mock.calls.length).toBeLessThanOrEqual(8);
    slow.release();
    await on.pass(20, worker);
    sentOnce(on);
    await worker.engine.stop();
  });
});

it("more mails than wait at once are sent without delay once the server is quick again, and none counts as failed", async () => {
  const on = createEngineBench();
  const slow = slowMailer(on.bench.mailer);
  let isSlow = true;
  const send: Mailer["send"] = (mail) => (isSlow ? slow.send(mail) : on.bench.mailer.send(mail));
  const worker = on.start({ mailer: { ...on.bench.mailer, send } });
  await settled();
  for (let nth = 0; nth < 220; nth += 1) await placeAndSubmit(on.bench.deps);
  await on.pass(60, worker);
  isSlow = false;
  slow.release();
  await on.pass(12, worker);
  const confirmed = on.bench.mailer.sent.filter(({ subject }) => subject === "confirmation");
  expect(confirmed).toHaveLength(220);
  sentOnce(on);
  await worker.engine.stop();
});

describe("An outage of our own log", () => {
  const awayWhile =
    (isAway: () => boolean) =>
    (store: EventStore): EventStore => ({
      ...withAppend(store, async (request) => {
        if (isAway()) throw new EventStoreUnreachable("No response.");
        return store.append(request);
      }),
      readStream: async (stream, from) => {
        if (isAway()) throw new EventStoreUnreachable("No response.");
        return store.readStream(stream, from);
      },
    });

  it("is waited for, and counts as no failure", async () => {
    let isAway = false;
    const on = createEngineBench({ wrapStore: awayWhile(() => isAway) });
    let over = Promise.withResolvers<boolean>();
    const worker = on.start({ storage: { ...trustedStorage, over: () => over.promise } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    isAway = true;
    await worker.follow();
    await on.time.pass(60);
    expect(on.bench.mailer.sent).toEqual([]);
    isAway = false;
    over.resolve(true);
    over = Promise.withResolvers<boolean>();
    await on.pass(10, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(on.bench.logLines.join()).not.toContain("a task failed");
    sentOnce(on);
    await worker.engine.stop();
  });

  it("that no part explains is tried again later", async () => {
    let isAway = false;
    const on = createEngineBench({ wrapStore: awayWhile(() => isAway) });
    const worker = on.start();
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    isAway = true;
    await worker.follow();
    await on.time.pass(10);
    isAway = false;
    await on.pass(20, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    await worker.engine.stop();
  });
});

it("a mail that has left, and could not be recorded, is recorded later and not sent again", async () => {
  let isAway = false;
  const on = createEngineBench({
    wrapStore: (store) =>
      withAppend(store, async (request) => {
        if (isAway && request.events.some(({ type }) => type === "ConfirmationSent"))
          throw new EventStoreUnreachable("No response.");
        return store.append(request);
      }),
  });
  const worker = on.start();
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  isAway = true;
  await on.pass(60, worker);
  expect(on.bench.mailer.sent).toHaveLength(1);
  isAway = false;
  await on.pass(20, worker);
  expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
  sentOnce(on);
  await worker.engine.stop();
});

it("a mail that has left is recorded by a worker that was asked to stop meanwhile", async () => {
  let isAway = true;
  const on = createEngineBench({
    wrapStore: (store) =>
      withAppend(store, async (request) => {
        if (isAway && request.events.some(({ type }) => type === "ConfirmationSent"))
          throw new EventStoreUnreachable("No response.");
        return store.append(request);
      }),
  });
  const worker = on.start();
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  await on.pass(2, worker);
  const stopped = worker.engine.stop();
  await on.time.pass(5);
  isAway = false;
  await on.time.pass(10);
  await stopped;
  expect(on.bench.mailer.sent).toHaveLength(1);
  expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
});

describe("A batch of the follower", () => {
  it("that is rolled back starts nothing, and what it would have taken is taken by the next", async () => {
    const on = createEngineBench();
    const worker = on.start();
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await worker.followInVain();
    expect(on.bench.mailer.sent).toEqual([]);
    await on.pass(10, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    await worker.engine.stop();
  });

  it("whose answer was lost made its worker the owner: the next heartbeat finds it", async () => {
    const on = createEngineBench();
    const id = randomUUID();
    const worker = startAs(on, id);
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    const tasks = [{ kind: "mail", name: "mail", dueAt: on.time.now().toISOString() }] as never;
    const transaction = on.rows.begin();
    const deriving = { now: on.time.now(), rules: 1, worker: id, letsGo: new Set<string>() };
    await transaction.derive({
      ...deriving,
      derived: [{ subjectId: orderId, tasks }],
      takes: new Set([orderId]),
    });
    transaction.commit();
    expect(await heldBy(on, id)).toEqual([orderId]);
    await on.time.pass(2);
    expect(on.bench.mailer.sent.map(({ subject }) => subject)).toContain("confirmation");
    sentOnce(on);
    await worker.engine.stop();
  });

  it("starts nothing before its end is known, and then once", async () => {
    const on = createEngineBench();
    const id = randomUUID();
    const worker = startAs(on, id, { isFollowing: () => false });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    const tasks = [{ kind: "mail", name: "mail", dueAt: on.time.now().toISOString() }] as never;
    const derived = [{ subjectId: orderId, tasks }];
    const batch = worker.engine.batch(derived, on.time.now());
    const transaction = on.rows.begin();
    const claims = await transaction.derive({ ...batch, derived, now: on.time.now(), rules: 1 });
    transaction.commit();
    // Heartbeats tell the worker that it owns the order.
    await on.time.pass(30);
    expect(on.bench.mailer.sent).toEqual([]);
    batch.ended(claims);
    await on.time.pass(30);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(await heldBy(on, id)).toEqual([]);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("wakes other workers where this one may not act", async () => {
    const on = createEngineBench();
    const wakeAnother = vi.fn(async () => undefined);
    const worker = on.start({ mayAct: () => false, wakeAnother });
    await settled();
    await placeAndSubmit(on.bench.deps);
    await worker.follow();
    expect(wakeAnother).toHaveBeenCalled();
    await on.time.pass(60);
    expect(on.bench.mailer.sent).toEqual([]);
    await worker.engine.stop();
  });
});
