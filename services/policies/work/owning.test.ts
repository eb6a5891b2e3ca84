import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { EventStoreUnreachable } from "../../../infra/event-store/kurrent/kurrent-errors.ts";
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
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { createOrders } from "../../orders/orders.ts";
import type { EngineParts } from "./engine.ts";

/** Another process has its own memory of the log. */
const ownMemory = ({ bench, time }: EngineBench, store = bench.store): Pick<EngineParts, "deps"> => ({
  deps: { ...bench.deps, orders: createOrders({ store, random: Math.random, now: time.now }) },
});

const withReads = (store: EventStore, before: () => Promise<void>): EventStore => ({
  ...withAppend(store, (request) => store.append(request)),
  readStream: async (stream, from) => {
    await before();
    return store.readStream(stream, from);
  },
});

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

describe("A batch that lets go of an idle order", () => {
  it("is not overtaken by a look: the order never has two owners", async () => {
    const on = createEngineBench();
    const id = randomUUID();
    const read = { isHeld: false, release: Promise.withResolvers<void>() };
    const store = withReads(on.bench.store, async () => {
      if (read.isHeld) await read.release.promise;
    });
    const owner = startAs(on, id, ownMemory(on, store));
    await settled();
    const { orderId } = await placeAndSubmit(on.bench.deps);
    await owner.follow();
    await on.time.pass(8);
    expect(await heldBy(on, id)).toEqual([orderId]);

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

it("a mail that could not be recorded is kept by its worker, whatever else failed meanwhile", async () => {
  const on = createEngineBench();
  const unreachable = () => new EventStoreUnreachable("No response.");
  const away = { reads: false, record: false };
  const store = withReads(
    withAppend(on.bench.store, async (request) => {
      if (away.record && request.events.some(({ type }) => type === "ConfirmationSent")) throw unreachable();
      return on.bench.store.append(request);
    }),
    async () => {
      if (away.reads) throw unreachable();
    },
  );
  const slow = slowMailer(on.bench.mailer);
  const owner = on.start({ ...ownMemory(on, store), isFollowing: () => false, mailer: slow.mailer });
  await settled();
  const { orderId } = await placeAndSubmit(on.bench.deps);
  await owner.follow();
  await settled();
  expect(slow.send).toHaveBeenCalledOnce();
  const other = on.start();
  // An event has it read the order again, in vain.
  away.reads = true;
  await cancelOrder(on.bench.deps, orderId, "customerRequest", customer);
  await other.follow();
  await on.time.pass(2);
  away.reads = false;
  await on.time.pass(2);
  away.record = true;
  slow.release();
  await on.pass(10, other);
  away.record = false;
  await on.pass(20, other);
  expect(await on.bench.eventTypes(orderId)).toContain("ConfirmationSent");
  sentOnce(on);
  await Promise.all([owner.engine.stop(), other.engine.stop()]);
});
