import { describe, expect, it, vi } from "vitest";
import { createPool } from "../../../infra/postgres/pool.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../../testing/system/orders-fixture.ts";
import { type House, noSweepSeconds, openHouse } from "../../../testing/system/test-system.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { takePaymentNotice } from "../../orders/payments/take-payment-notice.ts";
import { createReconciliation } from "./reconcile-payments.ts";

const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };
/** No background work except following the log. */
const quiet = { sweepEverySeconds: noSweepSeconds, reconcileEverySeconds: noSweepSeconds };

const listed = async (house: House) =>
  (
    await house.pool.query<{ provider_id: string; asks: number }>(
      "select provider_id, asks from open_payments order by provider_id",
    )
  ).rows;
const seeListed = (house: House, many: number) =>
  vi.waitFor(async () => expect(await listed(house)).toHaveLength(many), soon);
const reconcilerOf = ({ pool, desk, confirmLog }: House) =>
  createReconciliation({ pool, desk, confirmLog, everySeconds: 60 });

/** The customer paid, and no notice ever arrives. */
async function paidUnheard(house: House) {
  const placed = await placeAndAsk(house.desk);
  house.around.payments.change(placed.intentId, { status: "succeeded" });
  return placed;
}

describe("a payment whose notice was lost", () => {
  it("is found by asking, and the order continues", async () => {
    await using house = await openHouse();
    const { orderId } = await paidUnheard(house);
    house.skip(601);
    await house.begin({ reconcileEverySeconds: 0.2 });
    await vi.waitFor(async () => expect((await house.order(orderId)).phase).toBe("Submitted"), soon);
    expect(await house.eventTypes(orderId)).toContain("PaymentConfirmed");
    const told = "the payment provider reported a change without a notice";
    expect(house.logLines.filter((line) => line.includes(told))).toHaveLength(1);
  });

  it("stays unknown when the provider is not asked", async () => {
    await using house = await openHouse();
    const { orderId } = await paidUnheard(house);
    house.skip(601);
    await house.begin(quiet);
    await seeListed(house, 1);
    expect((await house.order(orderId)).phase).toBe("AwaitingPayment");
  });

  it("is not checked before a notice had time to arrive", async () => {
    await using house = await openHouse();
    await paidUnheard(house);
    await house.begin(quiet);
    await seeListed(house, 1);
    const before = house.around.payments.calls;
    await reconcilerOf(house).once();
    expect(house.around.payments.calls).toBe(before);
  });

  it("is confirmed once when the notice arrives at the same time", async () => {
    await using house = await openHouse();
    const { orderId, intentId } = await paidUnheard(house);
    await house.begin(quiet);
    await seeListed(house, 1);
    house.skip(601);
    await Promise.all([
      reconcilerOf(house).once(),
      takePaymentNotice(house.desk, { eventId: "evt_1", kind: "intent", intentId }, provider),
    ]);
    const types = await house.eventTypes(orderId);
    expect(types.filter((type) => type === "PaymentConfirmed")).toHaveLength(1);
    expect(types).not.toContain("PaymentReceivedUnexpectedly");
  });
});

describe("asking", () => {
  it("checks each payment once across processes, a page at a time", async () => {
    await using house = await openHouse();
    const placed = await Promise.all(Array.from({ length: 35 }, () => paidUnheard(house)));
    await house.begin(quiet);
    await seeListed(house, placed.length);
    house.skip(601);
    const before = house.around.payments.calls;
    await Promise.all([reconcilerOf(house).once(), reconcilerOf(house).once()]);
    expect(house.around.payments.calls - before).toBe(placed.length);
    for (const { orderId } of placed) expect((await house.order(orderId)).paidAt).not.toBeNull();
    await seeListed(house, 0);
  });

  it("stops at the first page without an answer, and resumes later", async () => {
    await using house = await openHouse();
    const placed = await Promise.all(Array.from({ length: 12 }, () => paidUnheard(house)));
    await house.begin(quiet);
    await seeListed(house, placed.length);
    house.skip(601);
    house.around.payments.down = true;
    const before = house.around.payments.calls;
    await reconcilerOf(house).once();
    expect(house.around.payments.calls - before).toBe(10);
    house.around.payments.down = false;
    await reconcilerOf(house).once();
    expect(house.around.payments.calls - before).toBe(12);
    await seeListed(house, 10);
    house.skip(601);
    await reconcilerOf(house).once();
    expect(house.around.payments.calls - before).toBe(22);
    await seeListed(house, 0);
  });

  it("backs off while the payment stays open", async () => {
    await using house = await openHouse();
    await placeAndAsk(house.desk);
    await house.begin(quiet);
    await seeListed(house, 1);
    const before = house.around.payments.calls;
    // Twelve hours, a minute at a time: after 10, 20, 40, 80, 160 and 320 minutes, each counted from the check before.
    for (let minute = 0; minute < 720; minute += 10) {
      house.skip(600);
      await reconcilerOf(house).once();
    }
    expect(house.around.payments.calls - before).toBeLessThanOrEqual(7);
    expect(house.around.payments.calls - before).toBeGreaterThanOrEqual(5);
  });

  it("skips a payment of another order, and reports it", async () => {
    await using house = await openHouse();
    const { orderId, intentId } = await paidUnheard(house);
    house.around.payments.change(intentId, { orderId: house.desk.newId() });
    await house.begin(quiet);
    await seeListed(house, 1);
    house.skip(601);
    await reconcilerOf(house).once();
    expect((await house.order(orderId)).phase).toBe("AwaitingPayment");
    expect(house.logLines.some((line) => line.includes("payment does not match its order"))).toBe(true);
  });
});

it("waits for an unavailable database, and reports it once a round", async () => {
  await using house = await openHouse();
  const nowhere = createPool("postgres://127.0.0.1:9/nowhere");
  const { desk, confirmLog } = house;
  const waiting = createReconciliation({ pool: nowhere, desk, confirmLog, everySeconds: 0.02 });
  waiting.start();
  const said = () => house.logLines.filter((line) => line.includes("open payments could not be checked"));
  await vi.waitFor(() => expect(said().length).toBeGreaterThan(1), soon);
  await waiting.stop();
  await nowhere.end();
  expect(said()[0]).toContain("ECONNREFUSED");
});

describe("the list of open payments", () => {
  it("is cleared by a payment, a cancellation and a replacement intent", async () => {
    await using house = await openHouse();
    await house.begin(quiet);
    await placeAndPay(house.desk);
    const { orderId } = await placeAndAsk(house.desk);
    const waiting = await placeAndAsk(house.desk);
    await vi.waitFor(async () => {
      const ids = (await listed(house)).map(({ provider_id: id }) => id);
      expect(ids.some((id) => id === waiting.intentId)).toBe(true);
    }, soon);
    await cancelOrder(house.desk, orderId, "customerRequest", customer);
    await vi.waitFor(
      async () => expect((await listed(house)).map((row) => row.provider_id)).toEqual([waiting.intentId]),
      soon,
    );
  });

  it("holds a dispute until it is decided, and learns of that without a notice", async () => {
    await using house = await openHouse();
    await house.begin(quiet);
    const { orderId, intentId } = await placeAndPay(house.desk);
    const dispute = { id: "du_1", intentId, amountPence: 4500, reason: "fraudulent", outcome: undefined };
    house.around.payments.setDispute(dispute);
    await takePaymentNotice(house.desk, { eventId: "evt_1", kind: "dispute", disputeId: "du_1" }, provider);
    await vi.waitFor(
      async () => expect(await listed(house)).toEqual([{ provider_id: "du_1", asks: 0 }]),
      soon,
    );
    house.skip(86_401);
    await reconcilerOf(house).once();
    expect(await house.eventTypes(orderId)).not.toContain("DisputeClosed");
    house.around.payments.setDispute({ ...dispute, outcome: "lost" });
    house.skip(86_401);
    await reconcilerOf(house).once();
    expect(await house.eventData(orderId, "DisputeClosed")).toMatchObject({
      disputeId: "du_1",
      outcome: "lost",
      toldBy: "provider",
    });
    await seeListed(house, 0);
  });
});
