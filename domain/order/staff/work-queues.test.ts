import { expect, it } from "vitest";
import {
  dispatched,
  failedAttempt,
  historyTo,
  orderAfter,
  orderId,
  queried,
  requested,
  start,
  started,
  submitted,
  type TimedEvent,
  uuid,
} from "../../../testing/domain/order-fixture.ts";
import { addDays, addSeconds } from "../../instant.ts";
import { longOverdueBefore, type StaffTask, staffTasks } from "./work-queues.ts";

const tasks = (history: readonly TimedEvent[], now = addSeconds(start, 2000)): StaffTask[] =>
  staffTasks(orderAfter(history), now);

it.each(Object.entries(historyTo))("an ordinary order leaves nothing to staff when %s", (_, history) => {
  expect(tasks(history)).toEqual([]);
});

it("a confirmation that could not be delivered waits for another address", () => {
  const bounced: TimedEvent = [
    {
      type: "ConfirmationUndeliverable",
      data: { template: "confirmation", templateVersion: 1, about: uuid(4), because: "refused" },
    },
    50,
  ];
  expect(tasks([...requested, bounced])).toEqual(["undelivered"]);
});

it("an attempt that is open for a day is a failed submission, and so is a day of failures", () => {
  expect(tasks(historyTo.Submitting, addSeconds(start, 55 + 86_400))).toEqual(["submissionFailed"]);
  const failed: TimedEvent[] = [...historyTo.Submitting, [failedAttempt(1, true), 60]];
  expect(tasks(failed)).toEqual([]);
  expect(tasks(failed, addSeconds(start, 55 + 86_400))).toEqual(["submissionFailed"]);
});

it("a question of the GRO waits for the customer", () => {
  expect(tasks(queried)).toEqual(["groQuestion"]);
});

it.each(["Cancelled", "Opened"] as const)(
  "a submission of an order that is %s contradicts itself",
  (phase) => {
    expect(tasks([...historyTo[phase], [submitted(), 800_000]])).toEqual(["contradiction"]);
  },
);

const notFound: TimedEvent[] = [
  ...historyTo.Submitted,
  [{ type: "OrderFailed", data: { cause: "gro", reason: "recordNotFound" } }, 400],
];

it("a submission after the failure contradicts it; one before it does not", () => {
  expect(tasks([...historyTo.Failed, [submitted(), 800_000]])).toEqual(["contradiction"]);
  expect(tasks(notFound)).toEqual([]);
});

it("a despatch after the failure contradicts it; one reported before the payment does not", () => {
  for (const history of [historyTo.Failed, notFound])
    expect(tasks([...history, [dispatched, 800_000]])).toEqual(["contradiction"]);
  const early = historyTo.Failed.toSpliced(historyTo.AwaitingPayment.length, 0, [dispatched, 25]);
  expect(tasks(early)).toEqual([]);
});

it("a refund that failed three times and a purge that failed once are looked into", () => {
  const refund = (n: number) => ({
    refundId: `order-${orderId}-refund-${n}`,
    providerRefundId: `re_${n}`,
    intentId: "pi_1",
    amountPence: 9000,
  });
  const failures = [1, 2, 3].map(
    (n): TimedEvent => [{ type: "RefundFailed", data: { ...refund(n), code: "declined" } }, 80],
  );
  expect(tasks([...historyTo.Cancelled, ...failures])).toEqual(["refundFailed"]);
  const purgeFailed: TimedEvent = [
    { type: "PurgeFailed", data: { dataClass: "application", code: "stillReadable", attempt: 1 } },
    70,
  ];
  expect(tasks([...historyTo.Submitted, purgeFailed])).toEqual(["purgeFailed"]);
});

it("an order past its promise is overdue, and 60 days past it a task of its own", () => {
  // Promised for 14 December 2026.
  expect(tasks(historyTo.Submitted, "2026-12-14T23:59:00.000Z")).toEqual([]);
  expect(tasks(historyTo.Submitted, "2026-12-15T00:01:00.000Z")).toEqual(["overdue"]);
  expect(tasks(historyTo.Submitted, addDays("2026-12-14T12:00:00.000Z", 60))).toEqual(["overdue"]);
  expect(tasks(historyTo.Submitted, addDays("2026-12-15T12:00:00.000Z", 60))).toEqual([
    "overdue",
    "longOverdue",
  ]);
  expect(tasks(historyTo.Dispatched, "2027-06-01T00:00:00.000Z")).toEqual([]);
});

it("an attempt by hand that staff left open is theirs after a day", () => {
  const byHand: TimedEvent[] = [...historyTo.Confirmed, [started(1, "manual"), 55]];
  expect(tasks(byHand, addSeconds(start, 55 + 86_400))).toEqual(["submissionFailed"]);
});

it("counts the 60 days in days of London, also over the end of summer time", () => {
  expect(longOverdueBefore("2026-11-22T12:00:00.000Z")).toBe("2026-09-23");
  expect(longOverdueBefore("2026-11-22T23:30:00.000Z")).toBe("2026-09-23");
  expect(longOverdueBefore("2026-03-30T23:30:00.000Z")).toBe("2026-01-30");
});
