import { describe, expect, it, vi } from "vitest";
import { orderStream } from "../../../domain/order/events.ts";
import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import { changeHash } from "../../../testing/event-store/tampering-fixture.ts";
import { acceptedAs, testAutomation } from "../../../testing/system/fake-providers.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { type House, hasty, noSweepSeconds, openHouse } from "../../../testing/system/test-system.ts";
import { recordManualSubmission } from "../../orders/staff/record-manual-submission.ts";
import { takeGroNotice } from "../../orders/submission/take-gro-notice.ts";
import type { GroNotice } from "../../providers/gro/automation.ts";
import { createOverdueInquiry } from "./ask-overdue.ts";

const soon = { timeout: 15_000, interval: 50 };
const provider = { actor: { kind: "provider" as const, id: "automation" }, correlationId: "a-notice" };
/** No background work except following the log. */
const quiet = {
  sweepEverySeconds: noSweepSeconds,
  reconcileEverySeconds: noSweepSeconds,
  askOverdueEverySeconds: noSweepSeconds,
};
const day = 86_400;
/** Longer than 15 working days at any time of the year. */
const pastDespatch = 30 * day;
const told = "the automation service reported a change without a notice";

/** Orders that the GRO has, all on the list. */
async function submittedOrders(house: House, many: number): Promise<string[]> {
  await house.begin(quiet);
  const placed = await Promise.all(Array.from({ length: many }, () => placeAndSubmit(house.desk)));
  const orderIds = placed.map(({ orderId }) => orderId);
  for (const orderId of orderIds) {
    await vi.waitFor(async () => expect((await house.order(orderId)).phase).toBe("Submitted"), soon);
  }
  await seeListed(house, many);
  return orderIds;
}
async function submittedOrder(house: House): Promise<string> {
  const [orderId = ""] = await submittedOrders(house, 1);
  return orderId;
}

const listed = async ({ pool }: House) =>
  (
    await pool.query<{ order_id: string; asks: number }>(
      "select order_id, asks from overdue_orders where submitted",
    )
  ).rows;
const seeListed = (house: House, many: number) =>
  vi.waitFor(async () => expect(await listed(house)).toHaveLength(many), soon);

const inquiryOf = ({ pool, desk, confirmLog, around }: House) =>
  createOverdueInquiry({ pool, desk, confirmLog, automation: around.automation, everySeconds: 600 });

/** Questions asked since the orders were submitted; each was looked up once at submission. */
function askedSince({ around }: House) {
  const before = around.automation.statusesAsked.length;
  return () => around.automation.statusesAsked.slice(before);
}

/** Something happens to the order at the GRO, and its notice never arrives. */
function unheard(house: House, orderId: string, kind: GroNotice["kind"], attempt = 1) {
  const occurredAt = new Date(Date.now() + house.around.clock.skippedMs).toISOString();
  house.around.automation.latest.set(submissionKeyOf(orderId, attempt), { kind, occurredAt });
  return occurredAt;
}

const count = async (house: House, orderId: string, type: string) =>
  (await house.eventTypes(orderId)).filter((known) => known === type).length;

describe("a despatch whose notice was lost", () => {
  it("is found by asking once its day has passed, and the order continues", async () => {
    await using house = await openHouse();
    await house.begin({ ...quiet, askOverdueEverySeconds: 0.2 });
    const { orderId } = await placeAndSubmit(house.desk);
    await vi.waitFor(async () => expect((await house.order(orderId)).phase).toBe("Submitted"), soon);
    const dispatchedAt = unheard(house, orderId, "dispatched");
    house.skip(pastDespatch);
    await vi.waitFor(async () => expect((await house.order(orderId)).phase).toBe("Fulfilled"), soon);
    expect(await house.eventData(orderId, "CertificateDispatched")).toEqual({ attempt: 1, dispatchedAt });
    expect(house.logLines.filter((line) => line.includes(told))).toHaveLength(1);
    await seeListed(house, 0);
  });

  it("stays unknown when the service is not asked (control)", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    unheard(house, orderId, "dispatched");
    house.skip(pastDespatch);
    expect((await house.order(orderId)).phase).toBe("Submitted");
    await inquiryOf(house).once();
    expect(await count(house, orderId, "CertificateDispatched")).toBe(1);
  });

  it("is not asked about before the expected day is over", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    const { promise } = await house.order(orderId);
    const asked = askedSince(house);
    const endOfDay = Date.parse(`${promise?.despatchBy}T23:59:00.000Z`);
    house.skip((endOfDay - Date.now()) / 1000);
    await inquiryOf(house).once();
    expect(asked()).toEqual([]);
    house.skip(7 * 3_600);
    await inquiryOf(house).once();
    expect(asked()).toEqual([[submissionKeyOf(orderId, 1)]]);
  });

  it("is recorded once when its notice arrives after all, at once or later with another time", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    const occurredAt = unheard(house, orderId, "dispatched");
    house.skip(pastDespatch);
    const key = submissionKeyOf(orderId, 1);
    const notice = { noticeId: "n-1", key, kind: "dispatched", occurredAt } as const;
    await Promise.all([inquiryOf(house).once(), takeGroNotice(house.desk, notice, provider)]);
    const late = { ...notice, noticeId: "n-2", occurredAt: "2026-11-22T00:00:00.000Z" };
    await takeGroNotice(house.desk, late, provider);
    expect(await count(house, orderId, "CertificateDispatched")).toBe(1);
  });
});

describe("an order whose history cannot be read", () => {
  it("does not block the others, and is asked about once repaired", async () => {
    await using house = await openHouse();
    const [broken = "", other = ""] = await submittedOrders(house, 2);
    for (const orderId of [broken, other]) unheard(house, orderId, "dispatched");
    const hash = await changeHash(house.pool, orderStream(broken), 1);
    house.skip(pastDespatch);
    await inquiryOf(house).once();
    expect(await count(house, other, "CertificateDispatched")).toBe(1);
    await changeHash(house.pool, orderStream(broken), 1, hash);
    house.skip(3_700);
    await inquiryOf(house).once();
    expect(await count(house, broken, "CertificateDispatched")).toBe(1);
  });
});

describe("another GRO outcome whose notice was lost", () => {
  it("is recorded once, however often it is reported", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    unheard(house, orderId, "queried");
    house.skip(pastDespatch);
    await inquiryOf(house).once();
    house.skip(8 * day);
    await inquiryOf(house).once();
    expect(await house.eventData(orderId, "GROOutcomeRecorded")).toEqual({ attempt: 1, outcome: "queried" });
    expect(await count(house, orderId, "GROOutcomeRecorded")).toBe(1);
    expect(house.logLines.filter((line) => line.includes(told))).toHaveLength(1);
  });

  it("fails the order when the record was not found", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    unheard(house, orderId, "notFound");
    house.skip(pastDespatch);
    await inquiryOf(house).once();
    await vi.waitFor(async () => expect((await house.order(orderId)).phase).toBe("Failed"), soon);
    await seeListed(house, 0);
  });
});

describe("asking", () => {
  it("asks about each order once across processes, in batches", async () => {
    await using house = await openHouse();
    const orderIds = await submittedOrders(house, 70);
    const asked = askedSince(house);
    house.skip(pastDespatch);
    await Promise.all([inquiryOf(house).once(), inquiryOf(house).once()]);
    expect(asked().length).toBeLessThanOrEqual(3);
    expect(asked().flat().toSorted()).toEqual(orderIds.map((id) => submissionKeyOf(id, 1)).toSorted());
    expect(Math.max(...asked().map((page) => page.length))).toBeLessThanOrEqual(50);
  });

  it("is repeated within the hour when the service did not answer, and not counted", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    house.skip(pastDespatch);
    house.around.automation.mood = "down";
    await expect(inquiryOf(house).once()).rejects.toMatchObject({ code: "unreachable" });
    expect(await listed(house)).toEqual([{ order_id: orderId, asks: 0 }]);
    house.around.automation.mood = "well";
    const asked = askedSince(house);
    await inquiryOf(house).once();
    expect(asked()).toEqual([]);
    house.skip(3_601);
    await inquiryOf(house).once();
    expect(asked()).toHaveLength(1);
  });

  it("backs off while nothing has happened, and stops after four months", async () => {
    await using house = await openHouse();
    await submittedOrder(house);
    house.skip(pastDespatch);
    const asked = askedSince(house);
    const afterDays: number[] = [];
    for (let days = 0; days < 180; days += 1) {
      const before = asked().length;
      await inquiryOf(house).once();
      if (asked().length > before) afterDays.push(days);
      house.skip(day);
    }
    expect(afterDays.slice(0, 6)).toEqual([0, 1, 3, 7, 14, 21]);
    expect(afterDays).toHaveLength(20);
    expect(await listed(house)).toEqual([]);
  });

  it("uses the GRO reference for orders submitted by staff", async () => {
    await using house = await openHouse();
    house.around.automation.mood = "refuses";
    await house.begin(quiet);
    const { orderId } = await placeAndSubmit(house.desk);
    await vi.waitFor(async () => {
      const { phase, attempts } = await house.order(orderId);
      expect([phase, attempts.count]).toEqual(["Confirmed", 1]);
    }, soon);
    const submittedAt = new Date().toISOString();
    const submission = { groOrderReference: "GRO-7", submittedAt };
    const act = { by: { userId: "ann" }, reason: "automationDown", correlationId: "a-click" } as const;
    await recordManualSubmission(house.desk, orderId, submission, act);
    await seeListed(house, 1);
    house.around.automation.mood = "well";
    // The service knows it under a different name.
    house.around.automation.accepted.set("by-hand", { ...acceptedAs(7, new Date()) });
    const occurredAt = new Date().toISOString();
    house.around.automation.latest.set("by-hand", { kind: "dispatched", occurredAt });
    house.skip(pastDespatch);
    const asked = askedSince(house);
    await inquiryOf(house).once();
    expect(asked()).toEqual([[submissionKeyOf(orderId, 2)], ["GRO-7"]]);
    expect(await count(house, orderId, "CertificateDispatched")).toBe(1);
  });

  it("does not happen when staff submit by hand", async () => {
    await using house = await openHouse();
    const orderId = await submittedOrder(house);
    unheard(house, orderId, "dispatched");
    house.skip(pastDespatch);
    const settings = { ...hasty, submissionByHand: true };
    const neverAsked = testAutomation(() => new Date());
    await house.begin({ ...quiet, askOverdueEverySeconds: 0.02, settings, automation: neverAsked });
    // A second process with an automation service, polling more slowly: the first would have had many turns by then.
    await house.begin({ ...quiet, askOverdueEverySeconds: 0.5 });
    await vi.waitFor(async () => expect(await count(house, orderId, "CertificateDispatched")).toBe(1), soon);
    expect(neverAsked.statusesAsked).toEqual([]);
  });
});
