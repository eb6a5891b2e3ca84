import { describe, expect, it, vi } from "vitest";
import { EventStoreUnreachable } from "../../../infra/event-store/event-store.ts";
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
  withReads,
} from "../../../testing/services/engine-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import type { WorkTable } from "./work-table.ts";

/** The registrar has a question, of which a mail tells the customer. */
const askedByGro = ({ bench: { deps } }: EngineBench, orderId: string) =>
  deps.orders.execute({
    ...{ orderId, commandId: deps.newId(), by: customer },
    command: { type: "RecordGROOutcome", data: { attempt: 1, outcome: "queried", questionRef: null } },
  });

const refundsOf = async ({ bench }: EngineBench, orderId: string) =>
  (await bench.order(orderId)).refunds.map(({ status }) => status);

describe("What happens to an order while its worker is at work on it", () => {
  /** One process follows the log, another is sending an order's mail, when the customer cancels it. */
  async function cancelledMeanwhile(isFollowing: () => boolean) {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    const follower = on.start({ mayAct: () => false });
    const owner = on.start({ ...ownMemory(on), isFollowing, mailer: slow.mailer });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(3, follower);
    expect(slow.send).toHaveBeenCalledOnce();
    await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
    await follower.follow();
    const end = () => Promise.all([follower.engine.stop(), owner.engine.stop()]);
    return { on, orderId, slow, end };
  }

  it("is seen with the next heartbeat where another process follows the log", async () => {
    const { on, orderId, slow, end } = await cancelledMeanwhile(() => false);
    await on.time.pass(2);
    expect(await refundsOf(on, orderId)).toEqual(["issued"]);
    slow.release();
    await end();
  });

  it("is seen where that process ends and the owner follows from there", async () => {
    let isFollowing = false;
    const { on, orderId, slow, end } = await cancelledMeanwhile(() => isFollowing);
    isFollowing = true;
    await on.time.pass(2);
    expect(await refundsOf(on, orderId)).toEqual(["issued"]);
    slow.release();
    await end();
  });

  it("is not missed when the owner lets go before its next heartbeat", async () => {
    const { on, orderId, slow, end } = await cancelledMeanwhile(() => false);
    slow.release();
    await settled();
    expect(await refundsOf(on, orderId)).toEqual(["issued"]);
    await end();
    sentOnce(on);
  });
});

describe("What happens to an order while a mail of it fails", () => {
  it("is not missed when the owner lets go before its next heartbeat", async () => {
    const on = createEngineBench();
    const failing = Promise.withResolvers<void>();
    const send = vi.fn(on.bench.mailer.send).mockReturnValueOnce(failing.promise);
    const follower = on.start({ mayAct: () => false });
    const mailer = { ...on.bench.mailer, send };
    const owner = on.start({ ...ownMemory(on), isFollowing: () => false, mailer });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(3, follower);
    expect(send).toHaveBeenCalledOnce();
    await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
    await follower.follow();
    failing.reject(new Error("The mail server is away."));
    await settled();
    expect(await refundsOf(on, orderId)).toEqual(["issued"]);
    await Promise.all([follower.engine.stop(), owner.engine.stop()]);
  });
});

describe("A worker owns an order", () => {
  it("whose answer was lost when it took it: the next heartbeat says so", async () => {
    const on = createEngineBench();
    const plain = on.rows.tableOf();
    let isLost = true;
    const take: WorkTable["take"] = async (taking) => {
      const claims = await plain.take(taking);
      if (!isLost || claims.length === 0) return claims;
      isLost = false;
      throw new EventStoreUnreachable("No response.");
    };
    const follower = on.start({ mayAct: () => false });
    const owner = on.start({ table: { ...plain, take } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await follower.follow();
    await on.time.pass(2);
    expect([isLost, on.bench.mailer.sent]).toEqual([false, []]);
    await on.time.pass(2);
    expect(on.bench.mailer.sent.map(({ subject }) => subject)).toContain("confirmation");
    await on.pass(10, follower);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    sentOnce(on);
    await Promise.all([owner.engine.stop(), follower.engine.stop()]);
  });

  it("until a batch lets go of it, which costs no statement of its own", async () => {
    const on = createEngineBench();
    const table = on.rows.tableOf();
    const letGo = vi.fn(table.letGo);
    const worker = startAs(on, "owner", { table: { ...table, letGo } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(6, worker);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect([await heldBy(on, "owner"), letGo.mock.calls]).toEqual([[], []]);
    await worker.engine.stop();
  });

  it("and goes on owning it where that batch is rolled back, until the next", async () => {
    const on = createEngineBench();
    const worker = startAs(on, "owner");
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(4, worker);
    await on.time.pass(2);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    await worker.followInVain();
    expect(await heldBy(on, "owner")).toEqual([orderId]);
    await askedByGro(on, orderId);
    await worker.follow();
    await settled();
    expect(on.bench.mailer.sent.map(({ subject }) => subject)).toContain("groQuestion");
    sentOnce(on);
    await on.pass(1, worker);
    expect(await heldBy(on, "owner")).toEqual([]);
    await worker.engine.stop();
  });
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
    const worker = startAs(on, "owner");
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    const transaction = on.rows.begin();
    const deriving = { now: on.time.now(), rules: 1, worker: "owner", letsGo: new Set<string>() };
    await transaction.derive({
      ...deriving,
      derived: [{ subjectId: orderId, tasks: [mailDue(on)] }],
      takes: new Set([orderId]),
    });
    transaction.commit();
    expect(await heldBy(on, "owner")).toEqual([orderId]);
    await on.time.pass(2);
    expect(on.bench.mailer.sent.map(({ subject }) => subject)).toContain("confirmation");
    sentOnce(on);
    await worker.engine.stop();
  });

  it("starts nothing before its end is known, and then once", async () => {
    const on = createEngineBench();
    const worker = startAs(on, "owner", { isFollowing: () => false });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    const batch = await committedBatch(on, worker, [{ subjectId: orderId, tasks: [mailDue(on)] }]);
    // Heartbeats tell the worker that it owns the order.
    await on.time.pass(30);
    expect(on.bench.mailer.sent).toEqual([]);
    batch.heard();
    await on.time.pass(30);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(await heldBy(on, "owner")).toEqual([]);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("whose end is not known yet keeps its worker from letting go: its late word would start work anew", async () => {
    const on = createEngineBench();
    const slow = slowMailer(on.bench.mailer);
    const worker = startAs(on, "owner", { isFollowing: () => false, mailer: slow.mailer });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await worker.follow();
    const batch = await committedBatch(on, worker, [{ subjectId: orderId, tasks: [mailDue(on)] }]);
    slow.release();
    // Heartbeats have told the worker what the batch changed.
    await on.time.pass(30);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(await heldBy(on, "owner")).toEqual([orderId]);
    batch.heard();
    await on.time.pass(5);
    expect(await heldBy(on, "owner")).toEqual([]);
    sentOnce(on);
    await worker.engine.stop();
  });

  it("whose look has not been answered keeps what that look may have taken", async () => {
    const on = createEngineBench();
    const answer = Promise.withResolvers<void>();
    const plain = on.rows.tableOf();
    const take: WorkTable["take"] = async (taking) => {
      const claims = await plain.take(taking);
      if (claims.length > 0) await answer.promise;
      return claims;
    };
    const follower = on.start({ mayAct: () => false });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await follower.follow();
    const worker = startAs(on, "owner", { table: { ...plain, take } });
    await settled();
    const looked = worker.engine.look();
    await settled();
    const batch = await committedBatch(on, worker, [{ subjectId: orderId, tasks: [mailDue(on)] }]);
    batch.heard();
    await on.time.pass(30);
    expect(await on.bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
    expect(await heldBy(on, "owner")).toEqual([orderId]);
    answer.resolve();
    await looked;
    await on.time.pass(15);
    expect(await heldBy(on, "owner")).toEqual([]);
    sentOnce(on);
    await Promise.all([worker.engine.stop(), follower.engine.stop()]);
  });

  it("that derives an idle order leaves it, while a look may be taking it", async () => {
    const on = createEngineBench();
    const answer = Promise.withResolvers<void>();
    const plain = on.rows.tableOf();
    let isHeld = false;
    // The look waits for a connection, then for its answer.
    const take: WorkTable["take"] = async (taking) => {
      if (!isHeld) return plain.take(taking);
      const claims = await plain.take({ ...taking, busy: [] });
      await answer.promise;
      return claims;
    };
    const owner = startAs(on, "owner", { table: { ...plain, take } });
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await on.pass(4, owner);
    expect(await heldBy(on, "owner")).toEqual([orderId]);
    isHeld = true;
    const looked = owner.engine.look();
    await settled();
    const batch = owner.engine.batch([{ subjectId: orderId, tasks: [] }], on.time.now());
    expect([...batch.letsGo]).toEqual([]);
    batch.ended([]);
    answer.resolve();
    await looked;
    await owner.engine.stop();
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

  it("that lets go of an idle order is not overtaken by a look: the order never has two owners", async () => {
    const on = createEngineBench();
    const read = { isHeld: false, release: Promise.withResolvers<void>() };
    const store = withReads(on.bench.store, async () => {
      if (read.isHeld) await read.release.promise;
    });
    const owner = startAs(on, "owner", ownMemory(on, store));
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await owner.follow();
    await on.time.pass(8);
    expect(await heldBy(on, "owner")).toEqual([orderId]);

    const at = on.time.now();
    const derived = [{ subjectId: orderId, tasks: [] }];
    const batch = owner.engine.batch(derived, at);
    expect([...batch.letsGo]).toEqual([orderId]);
    await settled();
    read.isHeld = true;
    await owner.engine.look();
    const transaction = on.rows.begin();
    const claims = await transaction.derive({ ...batch, derived, now: at, rules: 1 });
    transaction.commit();
    batch.ended(claims);

    const slow = slowMailer(on.bench.mailer);
    const other = on.start({ mailer: slow.mailer });
    await settled();
    await askedByGro(on, orderId);
    await other.follow();
    await settled();
    expect(slow.send).toHaveBeenCalled();
    read.release.resolve();
    await on.time.pass(1);
    slow.release();
    await on.pass(10, other);
    sentOnce(on);
    await Promise.all([owner.engine.stop(), other.engine.stop()]);
  });
});
