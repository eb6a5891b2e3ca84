import { expect, it } from "vitest";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { EventStoreUnreachable } from "../../../infra/event-store/kurrent/kurrent-errors.ts";
import { withAppend } from "../../../testing/event-store/handler-fixture.ts";
import { settled } from "../../../testing/services/driven-clock.ts";
import {
  createEngineBench,
  type EngineBench,
  sentOnce,
  slowMailer,
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
