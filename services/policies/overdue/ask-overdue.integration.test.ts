import { describe, expect, it, vi } from "vitest";
import { daysAfter } from "../../../domain/calendar-date.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { orderStream } from "../../../domain/order/events.ts";
import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import { changeHash } from "../../../testing/event-store/tampering-fixture.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { acceptedAs, testAutomation } from "../../../testing/providers/fake-providers.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import {
  hasty,
  noSweepSeconds,
  openTestSystem,
  type TestSystem,
} from "../../../testing/system/test-system.ts";
import { amendApplication } from "../../orders/amend-application.ts";
import { takeGroNotice } from "../../orders/submission/gro-webhook.ts";
import { recordManualSubmission } from "../../orders/submission/submit-order.ts";
import type { GroNotice } from "../../providers/gro/automation.ts";
import { createOverdueInquiry } from "./ask-overdue.ts";

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
const warning = "the automation service reported a change without a notice";

/** Orders that the GRO has, all on the list. */
async function submittedOrders(system: TestSystem, many: number): Promise<string[]> {
  await system.begin(quiet);
  const placed = await Promise.all(Array.from({ length: many }, () => placeAndSubmit(system.deps)));
  const orderIds = placed.map(({ orderId }) => orderId);
  for (const orderId of orderIds) {
    await vi.waitFor(async () => expect((await system.order(orderId)).phase).toBe("Submitted"), soon);
  }
  await seeListed(system, many);
  return orderIds;
}
async function submittedOrder(system: TestSystem): Promise<string> {
  const [orderId = ""] = await submittedOrders(system, 1);
  return orderId;
}

const listed = async ({ pool }: TestSystem) =>
  (
    await pool.query<{ order_id: string; asks: number }>(
      "select order_id, asks from overdue_orders where submitted",
    )
  ).rows;
const seeListed = (system: TestSystem, many: number) =>
  vi.waitFor(async () => expect(await listed(system)).toHaveLength(many), soon);

const inquiryOf = ({ pool, deps, confirmLog, around }: TestSystem) =>
  createOverdueInquiry({ pool, deps, confirmLog, automation: around.automation, everySeconds: 600 });

/** Questions asked since the orders were submitted; each was looked up once at submission. */
function askedSince({ around }: TestSystem) {
  const before = around.automation.statusesAsked.length;
  return () => around.automation.statusesAsked.slice(before);
}

/** Something happens to the order at the GRO, and its notice never arrives. */
function unheard(system: TestSystem, orderId: string, kind: GroNotice["kind"], attempt = 1) {
  const occurredAt = system.around.clock.now().toISOString();
  system.around.automation.latest.set(submissionKeyOf(orderId, attempt), { kind, occurredAt });
  return occurredAt;
}

const count = async (system: TestSystem, orderId: string, type: string) =>
  (await system.eventTypes(orderId)).filter((known) => known === type).length;

describe("a despatch whose notice was lost", () => {
  it("is found by asking once its day has passed, and the order continues", async () => {
    await using system = await openTestSystem();
    await system.begin({ ...quiet, askOverdueEverySeconds: 0.2 });
    const { orderId } = await placeAndSubmit(system.deps);
    await vi.waitFor(async () => expect((await system.order(orderId)).phase).toBe("Submitted"), soon);
    const dispatchedAt = unheard(system, orderId, "dispatched");
    system.skip(pastDespatch);
    await vi.waitFor(async () => expect((await system.order(orderId)).phase).toBe("Fulfilled"), soon);
    expect(await system.eventData(orderId, "CertificateDispatched")).toEqual({ attempt: 1, dispatchedAt });
    await seeListed(system, 0);
    await vi.waitFor(
      () => expect(system.logLines.filter((line) => line.includes(warning))).toHaveLength(1),
      soon,
    );
  });

  it("stays unknown when the service is not asked (control)", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    unheard(system, orderId, "dispatched");
    system.skip(pastDespatch);
    expect((await system.order(orderId)).phase).toBe("Submitted");
    await inquiryOf(system).once();
    expect(await count(system, orderId, "CertificateDispatched")).toBe(1);
  });

  it("is not asked about before the expected day is over", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    const { promise } = await system.order(orderId);
    const asked = askedSince(system);
    const endOfDay = Date.parse(`${promise?.despatchBy}T23:59:00.000Z`);
    system.skip((endOfDay - Date.now()) / 1000);
    await inquiryOf(system).once();
    expect(asked()).toEqual([]);
    system.skip(7 * 3_600);
    await inquiryOf(system).once();
    expect(asked()).toEqual([[submissionKeyOf(orderId, 1)]]);
  });

  it("is recorded once when its notice arrives after all, at once or later with another time", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    const occurredAt = unheard(system, orderId, "dispatched");
    system.skip(pastDespatch);
    const key = submissionKeyOf(orderId, 1);
    const notice = { noticeId: "n-1", key, kind: "dispatched", occurredAt } as const;
    await Promise.all([inquiryOf(system).once(), takeGroNotice(system.deps, notice, provider)]);
    const late = { ...notice, noticeId: "n-2", occurredAt: "2026-11-22T00:00:00.000Z" };
    await takeGroNotice(system.deps, late, provider);
    expect(await count(system, orderId, "CertificateDispatched")).toBe(1);
  });
});

describe("an order whose history cannot be read", () => {
  it("does not block the others, and is asked about once repaired", async () => {
    await using system = await openTestSystem();
    const [broken = "", other = ""] = await submittedOrders(system, 2);
    for (const orderId of [broken, other]) unheard(system, orderId, "dispatched");
    const hash = await changeHash(system.pool, orderStream(broken), 1);
    system.skip(pastDespatch);
    await inquiryOf(system).once();
    expect(await count(system, other, "CertificateDispatched")).toBe(1);
    await changeHash(system.pool, orderStream(broken), 1, hash);
    system.skip(3_700);
    await inquiryOf(system).once();
    expect(await count(system, broken, "CertificateDispatched")).toBe(1);
  });
});

describe("another GRO outcome whose notice was lost", () => {
  it("is recorded once, however often it is reported", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    unheard(system, orderId, "queried");
    system.skip(pastDespatch);
    await inquiryOf(system).once();
    system.skip(8 * day);
    await inquiryOf(system).once();
    expect(await system.eventData(orderId, "GROOutcomeRecorded")).toEqual({
      ...{ attempt: 1, outcome: "queried" },
      questionRef: null,
    });
    expect(await count(system, orderId, "GROOutcomeRecorded")).toBe(1);
    expect(system.logLines.filter((line) => line.includes(warning))).toHaveLength(1);
  });

  it("fails the order when the record was not found", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    unheard(system, orderId, "notFound");
    system.skip(pastDespatch);
    await inquiryOf(system).once();
    await vi.waitFor(async () => expect((await system.order(orderId)).phase).toBe("Failed"), soon);
    await seeListed(system, 0);
  });
});

describe("an answer to a question of the GRO", () => {
  it("has the order asked about once the day promised since is over", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    system.skip(10 * day);
    const occurredAt = system.around.clock.now().toISOString();
    const notice = {
      noticeId: "n-1",
      key: submissionKeyOf(orderId, 1),
      kind: "queried",
      occurredAt,
    } as const;
    await takeGroNotice(system.deps, notice, provider);
    const before = await vi.waitFor(async () => {
      const order = await system.order(orderId);
      expect(order.purges.application.purgedAt).not.toBeNull();
      return order;
    }, soon);
    const { application } = variantRequest("2026-11-21").parse(variantBody());
    const amendment = { application, groReferenceKnown: false };
    await amendApplication(system.deps, orderId, amendment, undefined, customer);
    const { promise } = await system.order(orderId);
    expect(Date.parse(promise?.despatchBy ?? "")).toBeGreaterThan(
      Date.parse(before.promise?.despatchBy ?? ""),
    );
    await vi.waitFor(async () => {
      const text = "select ask_at from overdue_orders where submitted";
      const { rows } = await system.pool.query<{ ask_at: Date }>(text);
      expect(rows).toEqual([
        { ask_at: new Date(`${daysAfter(promise?.despatchBy ?? "", 1)}T06:00:00.000Z`) },
      ]);
    }, soon);
  });
});

describe("asking", () => {
  it("asks about each order once across processes, in batches", async () => {
    await using system = await openTestSystem();
    const orderIds = await submittedOrders(system, 70);
    const asked = askedSince(system);
    system.skip(pastDespatch);
    await Promise.all([inquiryOf(system).once(), inquiryOf(system).once()]);
    expect(asked().length).toBeLessThanOrEqual(3);
    expect(asked().flat().toSorted()).toEqual(orderIds.map((id) => submissionKeyOf(id, 1)).toSorted());
    expect(Math.max(...asked().map((page) => page.length))).toBeLessThanOrEqual(50);
  });

  it("is repeated within the hour when the service did not answer, and not counted", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    system.skip(pastDespatch);
    system.around.automation.mood = "down";
    await expect(inquiryOf(system).once()).rejects.toMatchObject({ code: "unreachable" });
    expect(await listed(system)).toEqual([{ order_id: orderId, asks: 0 }]);
    system.around.automation.mood = "well";
    const asked = askedSince(system);
    await inquiryOf(system).once();
    expect(asked()).toEqual([]);
    system.skip(3_601);
    await inquiryOf(system).once();
    expect(asked()).toHaveLength(1);
  });

  it("backs off while nothing has happened, and stops after four months", async () => {
    await using system = await openTestSystem();
    await submittedOrder(system);
    system.skip(pastDespatch);
    const asked = askedSince(system);
    const afterDays: number[] = [];
    for (let days = 0; days < 180; days += 1) {
      const before = asked().length;
      await inquiryOf(system).once();
      if (asked().length > before) afterDays.push(days);
      system.skip(day);
    }
    expect(afterDays.slice(0, 6)).toEqual([0, 1, 3, 7, 14, 21]);
    expect(afterDays).toHaveLength(20);
    expect(await listed(system)).toEqual([]);
  });

  it("uses the GRO reference for orders submitted by staff", async () => {
    await using system = await openTestSystem();
    system.around.automation.mood = "refuses";
    await system.begin(quiet);
    const { orderId } = await placeAndSubmit(system.deps);
    await vi.waitFor(async () => {
      const { phase, attempts } = await system.order(orderId);
      expect([phase, attempts.count]).toEqual(["Confirmed", 1]);
    }, soon);
    const submittedAt = new Date().toISOString();
    const submission = { groOrderReference: "GRO-7", submittedAt };
    const act = { by: { userId: "ann" }, reason: "automationDown", correlationId: "a-click" } as const;
    await recordManualSubmission(system.deps, orderId, submission, act);
    await seeListed(system, 1);
    system.around.automation.mood = "well";
    // The service knows it under a different name.
    system.around.automation.accepted.set("by-hand", { ...acceptedAs(7, new Date()) });
    const occurredAt = new Date().toISOString();
    system.around.automation.latest.set("by-hand", { kind: "dispatched", occurredAt });
    system.skip(pastDespatch);
    const asked = askedSince(system);
    await inquiryOf(system).once();
    expect(asked()).toEqual([[submissionKeyOf(orderId, 2)], ["GRO-7"]]);
    expect(await count(system, orderId, "CertificateDispatched")).toBe(1);
  });

  it("does not happen when staff submit by hand", async () => {
    await using system = await openTestSystem();
    const orderId = await submittedOrder(system);
    unheard(system, orderId, "dispatched");
    system.skip(pastDespatch);
    const settings = { ...hasty, submissionByHand: true };
    const neverAsked = testAutomation(() => new Date());
    await system.begin({ ...quiet, askOverdueEverySeconds: 0.02, settings, automation: neverAsked });
    // A second process with an automation service, polling more slowly: the first would have had many turns by then.
    await system.begin({ ...quiet, askOverdueEverySeconds: 0.5 });
    await vi.waitFor(async () => expect(await count(system, orderId, "CertificateDispatched")).toBe(1), soon);
    expect(neverAsked.statusesAsked).toEqual([]);
  });
});
