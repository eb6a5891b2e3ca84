import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refundablePence, refundedPence, unassignedRefunds } from "../../../domain/order/payment/money.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { asked, notice, paid, provider, succeed } from "../../../testing/services/checkout-fixture.ts";
import { testSettings } from "../../../testing/services/task-fixture.ts";
import {
  Crash,
  customer,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import type { StaffAct } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { takePaymentNotice } from "./payment-webhook.ts";
import { assignRefund, divideRefund } from "./returns.ts";

const left = (deps: TestDependencies, orderIds: readonly string[], intentId: string) =>
  Promise.all(
    orderIds.map(async (orderId) => refundablePence((await deps.orders.load(orderId)).order, intentId)),
  );
const refund = (deps: TestDependencies, orderId: string, intentId: string, amountPence: number) =>
  deps.orders.execute({
    ...{ orderId, commandId: deps.newId(), by: customer },
    command: {
      type: "RequestRefund",
      data: { intentId, amountPence, reason: "staffDecision", approvalAbovePence: null },
    },
  });
const refundNotice = (deps: TestDependencies, intentId: string, refundId: string) =>
  takePaymentNotice(deps, { eventId: deps.newId(), kind: "refund", intentId, refundId }, provider);

describe("Money that goes back of a checkout", () => {
  it("is at most each order's share, also when two are refunded at once", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [first = "", second = ""] = orderIds;
    await expect(refund(deps, first, intentId, 4501)).rejects.toThrow("above-captured");
    await Promise.all([refund(deps, first, intentId, 4500), refund(deps, second, intentId, 4500)]);
    await expect(refund(deps, first, intentId, 1)).rejects.toThrow("above-captured");
    expect(await left(deps, orderIds, intentId)).toEqual([0, 0]);
  });

  it("is recorded in the order that asked for it", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [, second = ""] = orderIds;
    const { order } = await refund(deps, second, intentId, 2000);
    const refundId = order.refunds[0]?.refundId ?? "";
    const made = await deps.payments.refund({ refundId, intentId, amountPence: 2000 });
    await refundNotice(deps, intentId, made.id);
    await refundNotice(deps, intentId, made.id);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 2500]);
    expect((await deps.orders.load(second)).order.refunds).toMatchObject([{ status: "issued" }]);
  });

  it("is divided alike by reports that come at once, whatever is recorded between them", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [first = ""] = orderIds;
    const { order } = await refund(deps, first, intentId, 2000);
    const refundId = order.refunds[0]?.refundId ?? "";
    const made = await deps.payments.refund({ refundId, intentId, amountPence: 2000 });
    const dispute = { id: "du_1", intentId, amountPence: 7000, reason: "fraudulent", outcome: undefined };
    deps.payments.setDispute(dispute);
    const { execute } = deps.orders;
    const held: (() => void)[] = [];
    deps.orders.execute = async (asked) => {
      if (asked.command.type === "RecordDispute") await new Promise<void>((go) => held.push(go));
      return execute.call(deps.orders, asked);
    };
    const told = () =>
      takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: dispute.id }, provider);
    const one = told();
    await expect.poll(() => held.length).toBe(2);
    await refundNotice(deps, intentId, made.id);
    const other = told();
    await expect.poll(() => held.length).toBe(4);
    for (const nth of [2, 0, 1, 3]) {
      held[nth]?.();
      await new Promise(setImmediate);
    }
    await Promise.all([one, other]);
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    const taken = orders.flatMap((each) => each.order.disputes.map(({ amountPence }) => amountPence));
    expect(taken.reduce((sum, amountPence) => sum + amountPence, 0)).toBe(7000);
  });

  it("before the payment is recorded in all orders is each order's share all the same", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await asked(deps);
    const [first = ""] = orderIds;
    succeed(deps, intentId);
    const dispute = { id: "du_1", intentId, amountPence: 9000, reason: "fraudulent", outcome: undefined };
    deps.payments.setDispute(dispute);
    const { execute } = deps.orders;
    deps.orders.execute = async (asked) => {
      if (asked.orderId === first && asked.command.type === "ConfirmPayment") throw new Crash("Down.");
      return execute.call(deps.orders, asked);
    };
    await expect(notice(deps, intentId)).rejects.toThrow(Crash);
    deps.orders.execute = execute;
    await takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: "du_1" }, provider);
    for (const orderId of orderIds)
      expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([{ amountPence: 4500 }]);
  });

  it("is divided by what each order has left, also where it has not recorded its own refund yet", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const [first = ""] = orderIds;
    const { order } = await refund(deps, first, intentId, 4500);
    const refundId = order.refunds[0]?.refundId ?? "";
    await deps.payments.refund({ refundId, intentId, amountPence: 4500 });
    const dispute = {
      id: "du_1",
      intentId,
      amountPence: 4500,
      reason: "fraudulent",
      outcome: "lost" as const,
    };
    deps.payments.setDispute(dispute);
    await takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: "du_1" }, provider);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 0]);
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    expect(orders.map((each) => each.order.disputes.length)).toEqual([0, 1]);
  });

  it("after a dispute is each order's share, and until then none is refunded", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const dispute = { id: "du_1", intentId, amountPence: 9000, reason: "fraudulent" };
    const disputeNotice = () =>
      takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: dispute.id }, provider);
    deps.payments.setDispute({ ...dispute, outcome: undefined });
    await disputeNotice();
    await disputeNotice();
    for (const orderId of orderIds)
      await expect(refund(deps, orderId, intentId, 100)).rejects.toThrow("dispute-open");
    deps.payments.setDispute({ ...dispute, outcome: "lost" });
    await disputeNotice();
    for (const orderId of orderIds)
      expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([
        { amountPence: 4500, outcome: "lost" },
      ]);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 0]);
  });
});

const providerRefundId = "re_by_hand";

describe("A refund made by hand at the provider", () => {
  const act = (userId = "ann", more: Partial<StaffAct> = {}): StaffAct => ({
    ...{ by: { userId }, reason: "customerAsked", correlationId: "a-click", ...more },
  });
  const told = (deps: OrderDependencies, intentId: string) =>
    takePaymentNotice(
      deps,
      { eventId: deps.newId(), kind: "refund", intentId, refundId: providerRefundId },
      provider,
    );
  const makeByHand = (deps: TestDependencies, intentId: string, amountPence: number) =>
    deps.payments.addRefund({
      ...{ id: providerRefundId, refundId: undefined, intentId, amountPence },
      ...{ status: "succeeded", failureCode: undefined },
    });
  /** Three orders of 4,500 pence, paid for together, and such a refund of them. */
  async function refunded(amountPence: number, deps = testDependencies()) {
    const { orderIds, intentId, checkout } = await paid(deps, 3);
    makeByHand(deps, intentId, amountPence);
    await told(deps, intentId);
    const assign = (amounts: readonly number[], by: StaffAct, where: OrderDependencies = deps) => {
      const shares = orderIds.map((orderId, n) => ({ orderId, amountPence: amounts[n] ?? 0 }));
      const given = shares.filter((share) => share.amountPence > 0);
      return assignRefund(where, orderIds[0] ?? "", { providerRefundId, shares: given }, by);
    };
    return { deps, orderIds, intentId, checkoutId: checkout.checkoutId, assign };
  }
  const waiting = async (deps: TestDependencies, orderIds: readonly string[]) => {
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    return orders.map(({ order }) => unassignedRefunds(order).length);
  };
  const divisions = async (deps: TestDependencies, checkoutId: string) =>
    (await deps.checkouts.find(checkoutId))?.returns.get(providerRefundId);

  it("waits until staff say whose it is, and no other refund leaves until then", async () => {
    const { deps, orderIds, intentId, checkoutId, assign } = await refunded(6000);
    await told(deps, intentId);
    expect(await waiting(deps, orderIds)).toEqual([1, 1, 1]);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 4500, 4500]);
    for (const orderId of orderIds)
      await expect(refund(deps, orderId, intentId, 100)).rejects.toThrow("refund-unassigned");
    await assign([0, 2000, 4000], act());
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 2500, 500]);
    expect(await waiting(deps, orderIds)).toEqual([0, 0, 0]);
    expect(await divisions(deps, checkoutId)).toEqual([
      { orderId: orderIds[1], amountPence: 2000 },
      { orderId: orderIds[2], amountPence: 4000 },
    ]);
    await told(deps, intentId);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 2500, 500]);
    await refund(deps, orderIds[0] ?? "", intentId, 4500);
  });

  it("is divided at once where there is nothing to choose: all of it, or one order's", async () => {
    const whole = await refunded(13_500);
    expect(await left(whole.deps, whole.orderIds, whole.intentId)).toEqual([0, 0, 0]);
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps);
    const { order } = await refund(deps, orderIds[0] ?? "", intentId, 4500);
    const refundId = order.refunds[0]?.refundId ?? "";
    await deps.payments.refund({ refundId, intentId, amountPence: 4500 });
    makeByHand(deps, intentId, 1000);
    await told(deps, intentId);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 3500]);
    expect((await deps.events(orderIds[0] ?? "")).map(({ type }) => type)).not.toContain(
      "RefundAssignedToOthers",
    );
  });

  it("is assigned in full, to orders of its payment, and to none more than its share", async () => {
    const { deps, orderIds, intentId, assign } = await refunded(6000);
    await expect(assign([1000, 2000, 0], act())).rejects.toThrow("shares-differ");
    await expect(assign([0, 0, 6000], act())).rejects.toThrow("above-captured");
    const stranger = { orderId: deps.newId(), amountPence: 6000 };
    const toStranger = { providerRefundId, shares: [stranger] };
    await expect(assignRefund(deps, orderIds[0] ?? "", toStranger, act())).rejects.toThrow("above-captured");
    const outdated = act("ann", { expectedRevision: 1 });
    await expect(assign([4500, 1500], outdated)).rejects.toThrow("changed-meanwhile");
    await expect(
      assignRefund(deps, orderIds[0] ?? "", { providerRefundId: "re_unknown", shares: [] }, act()),
    ).rejects.toThrow("refund-assigned");
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 4500, 4500]);
  });

  it("leaves each order what is on its way back from it", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps, 3);
    const [first = "", second = ""] = orderIds;
    await refund(deps, first, intentId, 3000);
    makeByHand(deps, intentId, 6000);
    await told(deps, intentId);
    const shares = [
      { orderId: first, amountPence: 4500 },
      { orderId: second, amountPence: 1500 },
    ];
    await expect(assignRefund(deps, first, { providerRefundId, shares }, act())).rejects.toThrow(
      "above-captured",
    );
    await divideRefund(deps, { providerRefundId, intentId, amountPence: 6000 }, provider);
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    expect(orders.map(({ order }) => refundedPence(order))).toEqual([1500, 4500, 0]);
  });

  it("is assigned once: a colleague who is second is told, and a repeat is not refused", async () => {
    const { deps, orderIds, intentId, assign } = await refunded(3000);
    const { revision } = await deps.orders.load(orderIds[0] ?? "");
    const seen = act("ann", { expectedRevision: revision });
    await assign([0, 3000], seen);
    await expect(assign([3000], act("ben", { expectedRevision: revision }))).rejects.toThrow(
      "refund-assigned",
    );
    await assign([0, 3000], seen);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 1500, 4500]);
  });

  it("is divided after three days, so that other refunds go on", async () => {
    const { deps, orderIds, intentId } = await refunded(6000);
    const { order } = await deps.orders.load(orderIds[2] ?? "");
    const tasks = owed(order, deps.now().toISOString(), testSettings);
    const task = tasks.find(({ kind }) => kind === "divideReturn");
    expect(task).toMatchObject({ dueAt: "2026-11-24T09:00:00.000Z", providerRefundId, amountPence: 6000 });
    await divideRefund(deps, { providerRefundId, intentId, amountPence: 6000 }, provider);
    expect(await left(deps, orderIds, intentId)).toEqual([0, 3000, 4500]);
    expect(await waiting(deps, orderIds)).toEqual([0, 0, 0]);
  });

  it("is recorded as it was assigned, though the process died in between", async () => {
    const { deps, orderIds, intentId, assign } = await refunded(6000);
    const { execute } = deps.orders;
    deps.orders.execute = async (request) => {
      if (["RecordRefund", "RecordRefundOfOthers"].includes(request.command.type)) throw new Crash();
      return execute.call(deps.orders, request);
    };
    await expect(assign([0, 2000, 4000], act())).rejects.toThrow(Crash);
    deps.orders.execute = execute;
    expect(await waiting(deps, orderIds)).toEqual([1, 1, 1]);
    await expect(assign([4500, 1500], act("ben"))).rejects.toThrow("refund-assigned");
    expect(await waiting(deps, orderIds)).toEqual([0, 0, 0]);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 2500, 500]);
  });

  it("waits no longer once it fails", async () => {
    const deps = testDependencies();
    const { orderIds, intentId } = await paid(deps, 3);
    const byHand = { id: providerRefundId, refundId: undefined, intentId, amountPence: 3000 };
    const refunds = [{ ...byHand, status: "succeeded" as "succeeded" | "failed", failureCode: undefined }];
    deps.payments.refundsOf = async () => refunds;
    await told(deps, intentId);
    expect(await waiting(deps, orderIds)).toEqual([1, 1, 1]);
    refunds[0] = { ...byHand, status: "failed", failureCode: undefined };
    await told(deps, intentId);
    expect(await waiting(deps, orderIds)).toEqual([0, 0, 0]);
    expect(await left(deps, orderIds, intentId)).toEqual([4500, 4500, 4500]);
  });

  it("is divided before a dispute, which is about what is left", async () => {
    const { deps, orderIds, intentId } = await refunded(6000);
    const dispute = {
      id: "du_1",
      intentId,
      amountPence: 7500,
      reason: "fraudulent",
      outcome: "lost" as const,
    };
    deps.payments.setDispute(dispute);
    await takePaymentNotice(deps, { eventId: deps.newId(), kind: "dispute", disputeId: "du_1" }, provider);
    expect(await waiting(deps, orderIds)).toEqual([0, 0, 0]);
    const orders = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
    const parts = orders.map(({ order }) => [
      ...order.refunds.map(({ amountPence }) => amountPence),
      ...order.disputes.map(({ amountPence }) => -amountPence),
    ]);
    expect(parts).toEqual([[4500], [1500, -3000], [-4500]]);
  });

  it("is divided in one way, whoever reports, assigns and divides it at the same time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isKnown) => {
        const deps = testDependencies();
        const { orderIds, intentId } = await paid(deps, 3);
        makeByHand(deps, intentId, 3000);
        const processes = [deps.elsewhere(), deps.elsewhere(), deps.elsewhere()] as const;
        for (const { orders, checkouts } of processes) {
          orders.execute = scheduler.scheduleFunction(orders.execute);
          checkouts.find = scheduler.scheduleFunction(checkouts.find);
          checkouts.execute = scheduler.scheduleFunction(checkouts.execute);
        }
        if (isKnown) await told(deps, intentId);
        const [one, two, three] = processes;
        const assigned = (where: OrderDependencies, nth: number, userId: string) =>
          assignRefund(
            where,
            orderIds[0] ?? "",
            { providerRefundId, shares: [{ orderId: orderIds[nth] ?? "", amountPence: 3000 }] },
            act(userId),
          ).then(
            () => userId,
            (error: unknown) => {
              if (!(error instanceof Error && error.name === "Refused")) throw error;
              return undefined;
            },
          );
        const all = Promise.all([
          assigned(one, 1, "ann"),
          assigned(two, 2, "ben"),
          divideRefund(three, { providerRefundId, intentId, amountPence: 3000 }, provider),
          told(three, intentId),
        ]);
        await scheduler.waitFor(all);
        const winners = (await all).slice(0, 2).filter((name) => name !== undefined);
        expect(winners.length).toBeLessThan(2);
        expect(await waiting(deps, orderIds)).toEqual([0, 0, 0]);
        const rest = await left(deps, orderIds, intentId);
        expect(rest.toSorted((a, b) => a - b)).toEqual([1500, 4500, 4500]);
        if (winners.length > 0) expect(rest[winners[0] === "ann" ? 1 : 2]).toBe(1500);
      }),
      { numRuns: 60 },
    );
  });
});
