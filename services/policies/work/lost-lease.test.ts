import { randomUUID } from "node:crypto";
import { describe, expect, it, type Mock, vi } from "vitest";
import { settled } from "../../../testing/services/driven-clock.ts";
import {
  createEngineBench,
  type EngineBench,
  ownMemory,
  startAs,
  withLink,
  withReads,
} from "../../../testing/services/engine-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndAsk, placeAndPay, placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";

type Port = "send" | "submit" | "ask" | "refund" | "cancelIntent" | "destroy";

/** What a worker does, by which call, each with an order that owes it next. */
const effects: readonly (readonly [string, Port, (on: EngineBench) => Promise<unknown>])[] = [
  ["a mail", "send", ({ bench }) => placeAndSubmit(bench.deps)],
  [
    "a submission",
    "submit",
    async ({ bench }) => {
      const { orderId } = await placeAndSubmit(bench.deps);
      await bench.perform(orderId, "mail-confirmation");
    },
  ],
  [
    "a question that closes a submission",
    "ask",
    async ({ bench, time }) => {
      const { orderId } = await placeAndSubmit(bench.deps);
      await bench.perform(orderId, "mail-confirmation");
      bench.automation.mood = "answerLost";
      await bench.perform(orderId, "submit-1");
      bench.automation.mood = "well";
      time.skipWallClock(120);
    },
  ],
  [
    "a refund",
    "refund",
    async ({ bench }) => {
      const { orderId } = await placeAndPay(bench.deps);
      await cancelOrder(bench.deps, orderId, "customerRequest", customer);
      await bench.perform(orderId, "mail-cancelled");
      await bench.perform(orderId, "request-refund");
    },
  ],
  [
    "the cancellation of an intent",
    "cancelIntent",
    async ({ bench, time }) => {
      await placeAndAsk(bench.deps);
      time.skipWallClock(86_400);
    },
  ],
  [
    "a destruction",
    "destroy",
    async ({ bench, time }) => {
      const { orderId } = await placeAndSubmit(bench.deps);
      await bench.perform(orderId, "mail-confirmation");
      await bench.perform(orderId, "submit-1");
      time.skipWallClock(10);
    },
  ],
];

/** A worker that has taken an order and is reading it, with the ports through which it acts. */
async function reading(placed: (on: EngineBench) => Promise<unknown>) {
  const on = createEngineBench();
  const { bench, time } = on;
  await placed(on);
  const sent: Record<Port, Mock> = {
    send: vi.fn(bench.mailer.send),
    submit: vi.fn(bench.automation.submit),
    ask: vi.fn(bench.automation.ask),
    refund: vi.fn(bench.deps.payments.refund),
    cancelIntent: vi.fn(bench.deps.payments.cancelIntent),
    destroy: vi.fn(bench.deps.vault.destroy),
  };
  const { send, submit, ask, refund, cancelIntent, destroy } = sent;
  const read = Promise.withResolvers<void>();
  const { deps } = ownMemory(
    on,
    withReads(bench.store, () => read.promise),
  );
  const { link, table } = withLink(on);
  const worker = startAs(on, "owner", {
    automation: { ...bench.automation, submit, ask },
    deps: {
      ...deps,
      payments: { ...deps.payments, refund, cancelIntent },
      vault: { ...deps.vault, destroy },
    },
    mailer: { ...bench.mailer, send },
    table,
    isFollowing: () => false,
  });
  const follower = on.start({ mayAct: () => false });
  await settled();
  await follower.follow();
  await time.pass(2);
  /** The calls made so far. */
  const calls = () => Object.entries(sent).flatMap(([port, { mock }]) => mock.calls.map(() => port));
  const end = () => Promise.all([worker.engine.stop(), follower.engine.stop()]);
  return { on, calls, read: read.resolve, link, end };
}

describe.each(effects)("%s", (_, port, placed) => {
  it("begins while the lease is fresh", async () => {
    const { calls, read, end } = await reading(placed);
    read();
    await settled();
    expect(calls()).toContain(port);
    await end();
  });

  it("waits for the next heartbeat while the lease is old", async () => {
    const { on, calls, read, link, end } = await reading(placed);
    link.isCut = true;
    await on.time.pass(6.5);
    read();
    await settled();
    expect(calls()).toEqual([]);
    link.isCut = false;
    await on.time.pass(2);
    expect(calls()).toContain(port);
    await end();
  });

  it("never begins once others may own the order", async () => {
    const { on, calls, read, link, end } = await reading(placed);
    link.isCut = true;
    await on.time.pass(6.5);
    read();
    await settled();
    await on.rows.tableOf().remove("owner");
    // Under a new id it has to take the order again, which another worker has.
    const heir = randomUUID();
    await on.rows.tableOf().enter(heir);
    await on.rows.tableOf().take({ worker: heir, at: on.time.now(), busy: [], crowded: [], most: 10 });
    link.isCut = false;
    await on.time.pass(4);
    expect(calls()).toEqual([]);
    await end();
  });
});
