import { describe, expect, it, vi } from "vitest";
import { createPool } from "../../../infra/postgres/pool.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { noSweepSeconds, openTestSystem, type TestSystem } from "../../../testing/system/test-system.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { takePaymentNotice } from "../../orders/payments/payment-webhook.ts";
import { createReconciliation } from "./reconcile-payments.ts";

const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
/** No background work except following the log. */
const quiet = { sweepEverySeconds: noSweepSeconds, reconcileEverySeconds: noSweepSeconds };

const listed = async (system: TestSystem) =>
  (
    await system.pool.query<{ provider_id: string; asks: number }>(
      "select provider_id, asks from open_payments order by provider_id",
    )
  ).rows;
const seeListed = (system: TestSystem, many: number) =>
  vi.waitFor(async () => expect(await listed(system)).toHaveLength(many), soon);
const reconcilerOf = ({ pool, deps, confirmLog }: TestSystem) =>
  createReconciliation({ pool, deps, confirmLog, everySeconds: 60 });

/** The customer paid, and no notice ever arrives. */
async function paidUnheard(system: TestSystem) {
  const placed = await placeAndAsk(system.deps);
  system.around.payments.change(placed.intentId, { status: "succeeded" });
  return placed;
}

describe("a payment whose notice was lost", () => {
  it("is found by asking, and the order continues", async () => {
    await using system = await openTestSystem();
    const { orderId } = await paidUnheard(system);
    system.skip(601);
    await system.begin({ reconcileEverySeconds: 0.2 });
    await vi.waitFor(async () => expect((await system.order(orderId)).phase).toBe("Submitted"), soon);
    expect(await system.eventTypes(orderId)).toContain("PaymentConfirmed");
    const warning = "the payment provider reported a change without a notice";
    await vi.waitFor(
      () => expect(system.logLines.filter((line) => line.includes(warning))).toHaveLength(1),
      soon,
    );
  });

  it("stays unknown when the provider is not asked", async () => {
    await using system = await openTestSystem();
    const { orderId } = await paidUnheard(system);
    system.skip(601);
    await system.begin(quiet);
    await seeListed(system, 1);
    expect((await system.order(orderId)).phase).toBe("AwaitingPayment");
  });

  it("is not checked before a notice had time to arrive", async () => {
    await using system = await openTestSystem();
    await paidUnheard(system);
    await system.begin(quiet);
    await seeListed(system, 1);
    const before = system.around.payments.calls;
    await reconcilerOf(system).once();
    expect(system.around.payments.calls).toBe(before);
  });

  it("is confirmed once when the notice arrives at the same time", async () => {
    await using system = await openTestSystem();
    const { orderId, intentId } = await paidUnheard(system);
    await system.begin(quiet);
    await seeListed(system, 1);
    system.skip(601);
    await Promise.all([
      reconcilerOf(system).once(),
      takePaymentNotice(
        system.deps,
        { eventId: "evt_1", kind: "intent", intentId, outcome: "succeeded" },
        provider,
      ),
    ]);
    const types = await system.eventTypes(orderId);
    expect(types.filter((type) => type === "PaymentConfirmed")).toHaveLength(1);
    expect(types).not.toContain("PaymentReceivedUnexpectedly");
  });
});

describe("asking", () => {
  it("checks each payment once across processes, a page at a time", async () => {
    await using system = await openTestSystem();
    const placed = await Promise.all(Array.from({ length: 35 }, () => paidUnheard(system)));
    await system.begin(quiet);
    await seeListed(system, placed.length);
    system.skip(601);
    const before = system.around.payments.calls;
    await Promise.all([reconcilerOf(system).once(), reconcilerOf(system).once()]);
    expect(system.around.payments.calls - before).toBe(placed.length);
    for (const { orderId } of placed) expect((await system.order(orderId)).paidAt).not.toBeNull();
    await seeListed(system, 0);
  });

  it("stops at the first page without an answer, and resumes later", async () => {
    await using system = await openTestSystem();
    const placed = await Promise.all(Array.from({ length: 12 }, () => paidUnheard(system)));
    await system.begin(quiet);
    await seeListed(system, placed.length);
    system.skip(601);
    system.around.payments.down = true;
    const before = system.around.payments.calls;
    await reconcilerOf(system).once();
    expect(system.around.payments.calls - before).toBe(10);
    system.around.payments.down = false;
    await reconcilerOf(system).once();
    expect(system.around.payments.calls - before).toBe(12);
    await seeListed(system, 10);
    system.skip(601);
    await reconcilerOf(system).once();
    expect(system.around.payments.calls - before).toBe(22);
    await seeListed(system, 0);
  });

  it("backs off while the payment stays open", async () => {
    await using system = await openTestSystem();
    await placeAndAsk(system.deps);
    await system.begin(quiet);
    await seeListed(system, 1);
    const before = system.around.payments.calls;
    // Twelve hours, a minute at a time: after 10, 20, 40, 80, 160 and 320 minutes, each counted from the check before.
    for (let minute = 0; minute < 720; minute += 10) {
      system.skip(600);
      await reconcilerOf(system).once();
    }
    expect(system.around.payments.calls - before).toBeLessThanOrEqual(7);
    expect(system.around.payments.calls - before).toBeGreaterThanOrEqual(5);
  });

  it("skips a payment of another order, and reports it", async () => {
    await using system = await openTestSystem();
    const { orderId, intentId } = await paidUnheard(system);
    system.around.payments.change(intentId, { orderId: system.deps.newId() });
    await system.begin(quiet);
    await seeListed(system, 1);
    system.skip(601);
    await reconcilerOf(system).once();
    expect((await system.order(orderId)).phase).toBe("AwaitingPayment");
    expect(system.logLines.some((line) => line.includes("payment does not match its order"))).toBe(true);
  });
});

it("waits for an unavailable database, and reports it once a round", async () => {
  await using system = await openTestSystem();
  const nowhere = createPool("postgres://127.0.0.1:9/nowhere");
  const { deps, confirmLog } = system;
  const waiting = createReconciliation({ pool: nowhere, deps, confirmLog, everySeconds: 0.02 });
  waiting.start();
  const said = () => system.logLines.filter((line) => line.includes("open payments could not be checked"));
  await vi.waitFor(() => expect(said().length).toBeGreaterThan(1), soon);
  await waiting.stop();
  await nowhere.end();
  expect(said()[0]).toContain("ECONNREFUSED");
});

describe("the list of open payments", () => {
  it("is cleared by a payment, a cancellation and a replacement intent", async () => {
    await using system = await openTestSystem();
    await system.begin(quiet);
    await placeAndPay(system.deps);
    const { orderId } = await placeAndAsk(system.deps);
    const waiting = await placeAndAsk(system.deps);
    await vi.waitFor(async () => {
      const ids = (await listed(system)).map(({ provider_id: id }) => id);
      expect(ids.some((id) => id === waiting.intentId)).toBe(true);
    }, soon);
    await cancelOrder(system.deps, orderId, "customerRequest", customer);
    await vi.waitFor(
      async () => expect((await listed(system)).map((row) => row.provider_id)).toEqual([waiting.intentId]),
      soon,
    );
  });

  it("holds a dispute until it is decided, and learns of that without a notice", async () => {
    await using system = await openTestSystem();
    await system.begin(quiet);
    const { orderId, intentId } = await placeAndPay(system.deps);
    const dispute = { id: "du_1", intentId, amountPence: 4500, reason: "fraudulent", outcome: undefined };
    system.around.payments.setDispute(dispute);
    await takePaymentNotice(system.deps, { eventId: "evt_1", kind: "dispute", disputeId: "du_1" }, provider);
    await vi.waitFor(
      async () => expect(await listed(system)).toEqual([{ provider_id: "du_1", asks: 0 }]),
      soon,
    );
    system.skip(86_401);
    await reconcilerOf(system).once();
    expect(await system.eventTypes(orderId)).not.toContain("DisputeClosed");
    system.around.payments.setDispute({ ...dispute, outcome: "lost" });
    system.skip(86_401);
    await reconcilerOf(system).once();
    expect(await system.eventData(orderId, "DisputeClosed")).toMatchObject({
      disputeId: "du_1",
      outcome: "lost",
      toldBy: "provider",
    });
    await seeListed(system, 0);
  });
});
