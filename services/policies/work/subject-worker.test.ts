import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { type EventStore, EventStoreUnreachable } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import { trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import { withAppend } from "../../../testing/event-store/handler-fixture.ts";
import { settled } from "../../../testing/services/driven-clock.ts";
import {
  createEngineBench,
  type EngineBench,
  ownMemory,
  sentOnce,
  slowMailer,
  withReads,
} from "../../../testing/services/engine-fixture.ts";
import { customer, orderRequest } from "../../../testing/services/use-case-fixture.ts";
import { placeAndPay, placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { correctContact } from "../../orders/correct-contact.ts";
import { createOrder } from "../../orders/create-order.ts";
import type { Mailer } from "../../providers/smtp/mailer.ts";

const unreachable = () => new EventStoreUnreachable("No response.");

describe("A task that fails", () => {
  /** Seconds between attempts at a mail. */
  async function attempts(on: EngineBench, seconds: number): Promise<number[]> {
    const times: number[] = [];
    const send = async () => {
      times.push(Math.round(on.time.clock.sinceBootMs() / 1000));
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

  /** All mails but confirmations hang until they are released. */
  function hanging(on: EngineBench) {
    const slow = slowMailer(on.bench.mailer);
    const send: Mailer["send"] = (mail) =>
      mail.subject === "confirmation" ? on.bench.mailer.send(mail) : slow.send(mail);
    return { ...slow, mailer: { ...on.bench.mailer, send } };
  }

  it("or hangs delays no destruction that its own order owes", async () => {
    const on = createEngineBench();
    const { mailer, send, release } = hanging(on);
    const worker = on.start({ mailer });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(10, worker);
    expect(send).toHaveBeenCalled();
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    release();
    await on.pass(10, worker);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("for want of our storage is tried again, though another hangs", async () => {
    const on = createEngineBench();
    const { mailer, release } = hanging(on);
    const { destroy } = on.bench.deps.vault;
    let isAway = true;
    const vault = {
      ...on.bench.deps.vault,
      destroy: async (refs: readonly string[]) => {
        if (isAway) throw unreachable();
        return destroy(refs);
      },
    };
    const worker = on.start({ mailer, deps: { ...on.bench.deps, vault } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(10, worker);
    isAway = false;
    await on.pass(10, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    release();
    await on.pass(10, worker);
    sentOnce(on);
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
    const { orderId, intentId } = await placeAndPay(on.bench.deps);
    const wish = { intentId, amountPence: 1500, reason: "staffDecision", approvalAbovePence: null } as const;
    await on.bench.deps.orders.execute({
      ...{ orderId, commandId: randomUUID(), by: customer },
      command: { type: "RequestRefund", data: wish },
    });
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

describe("More mails than wait at once", () => {
  const many = 600;

  /** With a mail server that answers nothing until it is quick again; counts how often an order is read. */
  async function crowd() {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    let isSlow = true;
    const send: Mailer["send"] = (mail) => (isSlow ? slow.send(mail) : on.bench.mailer.send(mail));
    const reads = new Map<string, number>();
    const store = withReads(on.bench.store, async (stream) => {
      reads.set(stream, (reads.get(stream) ?? 0) + 1);
    });
    const worker = on.start({ ...ownMemory(on, store), mailer: { ...on.bench.mailer, send } });
    await settled();
    for (let nth = 0; nth < many; nth += 1) await placeAndSubmit(on.bench.deps);
    const quicken = () => {
      isSlow = false;
      slow.release();
    };
    return { on, worker, reads, quicken };
  }

  it("are sent within half a minute once the server is quick again", async () => {
    const { on, worker, quicken } = await crowd();
    await on.pass(120, worker);
    quicken();
    await on.pass(32, worker);
    const confirmed = on.bench.mailer.sent.filter(({ subject }) => subject === "confirmation");
    expect(confirmed).toHaveLength(many);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("have their orders read a few times, however long they wait", async () => {
    const { on, worker, reads, quicken } = await crowd();
    await on.pass(300, worker);
    expect(Math.max(...reads.values())).toBeLessThan(5);
    quicken();
    await on.pass(32, worker);
    await worker.engine.stop();
  });
});

describe("An outage of our own log", () => {
  const awayWhile = (isAway: () => boolean) => (store: EventStore) =>
    withAppend(
      withReads(store, async () => {
        if (isAway()) throw unreachable();
      }),
      async (request) => {
        if (isAway()) throw unreachable();
        return store.append(request);
      },
    );

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

describe("A failure of our storage in one task", () => {
  it("delays no other of its order", async () => {
    const on = createEngineBench();
    const { deps } = on.bench;
    const over = Promise.withResolvers<boolean>();
    const storage = { ...trustedStorage, over: () => over.promise };
    const vault = { ...deps.vault, open: () => Promise.reject(unreachable()) };
    const worker = on.start({ deps: { ...deps, vault }, storage });
    await settled();
    const { orderId } = await placeAndSubmit(deps);
    await on.pass(3, worker);
    await cancelOrder(deps, orderId, "customerRequest", customer);
    await on.pass(3, worker);
    expect((await on.bench.order(orderId)).refunds.map(({ status }) => status)).toEqual(["issued"]);
    expect(on.bench.mailer.sent).toEqual([]);
    over.resolve(false);
    await worker.engine.stop();
  });

  it("that every part of it denies holds up no destruction of other orders", async () => {
    const on = createEngineBench();
    const { deps } = on.bench;
    const away = new Set<string>();
    let isAway = true;
    const destroy: typeof deps.vault.destroy = async (refs) => {
      if (isAway) for (const ref of refs) away.add(ref);
      if (refs.some((ref) => away.has(ref))) throw new MirrorUnreachable("Not mounted.");
      return deps.vault.destroy(refs);
    };
    const worker = on.start({ deps: { ...deps, vault: { ...deps.vault, destroy } } });
    await settled();
    for (let nth = 0; nth < 9; nth += 1) {
      const { orderId } = (await createOrder(deps, orderRequest(), undefined, `a-request-${nth}`)).order;
      await correctContact(deps, orderId, { email: "sian@post.example" }, undefined, customer);
    }
    await on.pass(5, worker);
    expect(away.size).toBe(9);
    isAway = false;
    const { orderId } = await placeAndSubmit(deps);
    await on.pass(10, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    await worker.engine.stop();
  });
});

describe("An order that cannot be looked at", () => {
  it("is looked at again soon, though a mail of it hangs", async () => {
    const on = createEngineBench();
    let isBroken = false;
    const store = withReads(on.bench.store, async () => {
      if (isBroken) throw new TypeError("Cannot be read.");
    });
    const slow = slowMailer(on.bench.mailer);
    const owner = on.start({ ...ownMemory(on, store), isFollowing: () => false, mailer: slow.mailer });
    const follower = on.start({ mayAct: () => false });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(3, follower);
    expect(slow.send).toHaveBeenCalledOnce();
    isBroken = true;
    await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
    await on.pass(3, follower);
    isBroken = false;
    await on.time.pass(10);
    expect((await on.bench.order(orderId)).refunds.map(({ status }) => status)).toEqual(["issued"]);
    slow.release();
    await Promise.all([owner.engine.stop(), follower.engine.stop()]);
  });

  it("because its stream is unreadable is tried again after 1, 2, 4 seconds and so on, up to a minute", async () => {
    const on = createEngineBench();
    const times: number[] = [];
    const store = withReads(on.bench.store, async (stream) => {
      times.push(Math.round(on.time.clock.sinceBootMs() / 1000));
      throw new StreamUnreadable(stream, "unknown-type", "An event of a newer build.");
    });
    const follower = on.start({ mayAct: () => false });
    await settled();
    await placeAndSubmit(on.bench.deps);
    await follower.follow();
    const worker = on.start(ownMemory(on, store));
    await on.time.pass(600);
    const gaps = times.slice(1).map((at, nth) => at - (times[nth] ?? 0));
    expect(gaps.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
    expect(new Set(gaps.slice(6))).toEqual(new Set([60]));
    await Promise.all([worker.engine.stop(), follower.engine.stop()]);
  });
});

it("a mail that was recorded while its order was being read is not sent again", async () => {
  const on = createEngineBench();
  let answer: Promise<void> | undefined;
  const store: EventStore = {
    ...withReads(on.bench.store, async () => undefined),
    readStream: async (stream, from) => {
      const events = await on.bench.store.readStream(stream, from);
      const late = answer;
      answer = undefined;
      await late;
      return events;
    },
  };
  const slow = slowMailer(on.bench.mailer);
  const owner = on.start({ ...ownMemory(on, store), isFollowing: () => false, mailer: slow.mailer });
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  await owner.follow();
  await settled();
  expect(slow.send).toHaveBeenCalledOnce();
  const other = on.start();
  const late = Promise.withResolvers<void>();
  answer = late.promise;
  // Its next heartbeat has it read the order again.
  await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
  await other.follow();
  await on.time.pass(2);
  expect(answer).toBeUndefined();
  slow.release();
  await settled();
  expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
  await on.time.pass(2);
  late.resolve();
  await on.pass(10, other);
  sentOnce(on);
  await Promise.all([owner.engine.stop(), other.engine.stop()]);
});
