import { describe, expect, it } from "vitest";
import {
  cancellationAsked,
  cancelled,
  contactRef,
  dispatched,
  failedAttempt,
  historyTo,
  orderAfter,
  orderId,
  paymentConfirmed,
  purged,
  queried,
  requested,
  start,
  started,
  submitted,
  type TimedEvent,
  uuid,
} from "../../../testing/domain/order-fixture.ts";
import { addDays, addSeconds } from "../../instant.ts";
import type { OrderEvent } from "../events.ts";
import type { Order } from "../state.ts";
import { type FailureCause, type FailureReason, failureReason } from "../vocabulary.ts";
import { owed } from "./owed.ts";
import type { Task } from "./task.ts";

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const at = (seconds: number) => addSeconds(start, seconds);
const tasks = (history: readonly TimedEvent[], now = at(2000)): Task[] =>
  owed(orderAfter(history), now, settings);
const ofKind = (kind: Task["kind"], history: readonly TimedEvent[], now?: string) =>
  tasks(history, now).filter((task) => task.kind === kind);

const outcome = (kind: "notFound" | "queried"): TimedEvent => [
  { type: "GROOutcomeRecorded", data: { attempt: 1, outcome: kind, questionRef: null } },
  300,
];
const refund = (n: number) => ({
  refundId: `order-${orderId}-refund-${n}`,
  intentId: "pi_1",
  amountPence: 9000,
});
const refundRequested = (n: number): OrderEvent => ({
  type: "RefundRequested",
  data: { ...refund(n), reason: "cancelled", proposal: null },
});
const made = (n: number) => ({ ...refund(n), providerRefundId: `re_${n}` });
const refundFailed = (n: number): OrderEvent => ({
  type: "RefundFailed",
  data: { ...made(n), code: "declined" },
});
const refundIssued = (n: number): OrderEvent => ({ type: "RefundIssued", data: made(n) });

describe("an order where staff submit by hand", () => {
  const byHand = (history: readonly TimedEvent[]) =>
    owed(orderAfter(history), at(2000), { ...settings, submissionByHand: true }).map(({ kind }) => kind);

  it("is owed no call to a service, whatever it waits for", () => {
    for (const phase of ["Confirmed", "Submitting"] as const) {
      expect(byHand(historyTo[phase])).not.toContain("submit");
      expect(byHand(historyTo[phase])).not.toContain("askSubmission");
    }
  });

  it("is owed it where a service submits (control)", () => {
    expect(ofKind("submit", historyTo.Confirmed)).toHaveLength(1);
    expect(ofKind("askSubmission", historyTo.Submitting)).toHaveLength(1);
  });

  it("waits for them as long as it takes, and never fails without an attempt", () => {
    expect(byHand(historyTo.Confirmed)).toEqual([]);
  });
});

describe("an order that was never paid", () => {
  it.each(["Opened", "Priced", "AwaitingPayment"] as const)(
    "expires a day after its creation when %s",
    (phase) => {
      expect(tasks(historyTo[phase])).toEqual([
        {
          kind: "cancel",
          name: "expire",
          dueAt: at(86_400),
          reason: "expired",
          openIntentId: phase === "AwaitingPayment" ? "pi_1" : null,
        },
      ]);
    },
  );

  it("is informed of a refused card after a quarter of an hour, once, unless it was paid meanwhile", () => {
    const refused = (seconds: number): TimedEvent => [
      { type: "PaymentFailed", data: { intentId: "pi_1", code: "cardDeclined" } },
      seconds,
    ];
    const twice: TimedEvent[] = [...historyTo.AwaitingPayment, refused(21), refused(25)];
    expect(ofKind("mail", twice)).toMatchObject([{ template: "paymentFailed", dueAt: at(25 + 900) }]);
    expect(ofKind("mail", [...twice, [paymentConfirmed, 30]])).toEqual([]);
  });

  it("loses application and contact data at once when cancelled, and sends no mail", () => {
    expect(tasks([...historyTo.AwaitingPayment, [cancelled, 70]])).toEqual([
      {
        kind: "purge",
        name: "purge-application-0-1",
        dueAt: at(70),
        dataClass: "application",
        rule: "neverPaid",
        attempt: 1,
      },
      {
        kind: "purge",
        name: "purge-contact-0-1",
        dueAt: at(70),
        dataClass: "contact",
        rule: "neverPaid",
        attempt: 1,
      },
    ]);
  });
});

describe("an order that was paid", () => {
  it("is asked to be submitted within a minute, and is cancelled after seven days without a confirmation", () => {
    expect(tasks(historyTo.Paid)).toEqual([
      { kind: "requestSubmission", name: "request-submission", dueAt: at(90) },
      {
        kind: "cancel",
        name: "unconfirmed",
        dueAt: addDays(at(30), 7),
        reason: "unconfirmed",
        openIntentId: null,
      },
    ]);
  });

  it("ends the saved drafts that it completes, once, and not before it is paid", () => {
    const draftIds = [uuid(700), uuid(701)];
    const [first, ...rest] = historyTo.Paid;
    if (!first) throw new Error("The history is empty.");
    const linked: TimedEvent[] = [first, [{ type: "SavedDraftsLinked", data: { draftIds } }, 0]];
    expect(ofKind("endDrafts", linked)).toEqual([]);
    const paid = [...linked, ...rest];
    expect(ofKind("endDrafts", paid)).toEqual([
      { kind: "endDrafts", name: "end-drafts", dueAt: at(30), draftIds },
    ]);
    expect(ofKind("endDrafts", [...paid, [{ type: "SavedDraftsEnded", data: {} }, 31]])).toEqual([]);
  });

  it("is confirmed by mail at once when its submission is requested", () => {
    expect(ofKind("mail", requested)).toEqual([
      {
        kind: "mail",
        name: `mail-confirmation-${uuid(4)}`,
        dueAt: at(40),
        template: "confirmation",
        about: uuid(4),
      },
    ]);
    expect(ofKind("requestSubmission", requested)).toEqual([]);
  });

  it("has a replaced record purged", () => {
    const amended: TimedEvent = [
      {
        type: "ApplicationAmended",
        data: {
          applicationRef: uuid(301),
          previousApplicationRef: uuid(103),
          fees: null,
        },
      },
      90,
    ];
    expect(ofKind("destroyRecord", [...historyTo.Confirmed, amended])).toEqual([
      {
        kind: "destroyRecord",
        name: `destroy-${uuid(103)}`,
        dueAt: at(90),
        dataClass: "application",
        ref: uuid(103),
      },
    ]);
  });
});

describe("an order whose email address was corrected", () => {
  const corrected: TimedEvent[] = [
    ...historyTo.Confirmed,
    [
      {
        type: "ContactCorrected",
        data: { contactRef: uuid(302), previousContactRef: contactRef, emailChanged: true },
      },
      90,
    ],
  ];
  const about = uuid(historyTo.Confirmed.length);
  const notices = (history: readonly TimedEvent[]) =>
    ofKind("mail", history).filter(({ name }) => name.startsWith("mail-emailChanged"));
  const destroyedAt = (...later: TimedEvent[]) =>
    ofKind("destroyRecord", [...corrected, ...later]).map(({ dueAt }) => dueAt);

  it("is owed one mail to the replaced record, which is kept for it no longer than a day", () => {
    expect(notices(corrected)).toEqual([
      {
        kind: "mail",
        name: `mail-emailChanged-${about}`,
        dueAt: at(90),
        template: "emailChanged",
        about,
        contactRef,
      },
    ]);
    expect(destroyedAt()).toEqual([at(90 + 86_400)]);
  });

  it.each(["MailSent", "MailUndeliverable"] as const)("loses that record at once after %s", (type) => {
    const data = { template: "emailChanged", about, templateVersion: 1 } as const;
    const event: OrderEvent =
      type === "MailSent" ? { type, data } : { type, data: { ...data, because: "refused" } };
    expect(destroyedAt([event, 100])).toEqual([at(90)]);
  });

  it("loses it at once when erasure is requested, and sends no mail", () => {
    const erase: TimedEvent = [{ type: "ErasureRequested", data: {} }, 100];
    expect(destroyedAt(erase)).toEqual([at(90)]);
    expect(notices([...corrected, erase])).toEqual([]);
  });

  it("is owed no such mail once the record is destroyed", () => {
    const gone: TimedEvent = [
      {
        type: "ReplacedRecordPurged",
        data: {
          dataClass: "contact",
          recordRef: contactRef,
          keyFingerprint: "ab".repeat(32),
          probe: "unreadable",
        },
      },
      90_000,
    ];
    expect(notices([...corrected, gone])).toEqual([]);
    expect(ofKind("mail", [...corrected, gone])).toHaveLength(1);
  });
});

describe("a confirmed order", () => {
  it("is submitted at once", () => {
    expect(ofKind("submit", historyTo.Confirmed)).toEqual([
      { kind: "submit", name: "submit-1", dueAt: at(50), attempt: 1 },
    ]);
  });

  it("is asked after while its attempt is open, ever more rarely, and never sent again", () => {
    const dueAfter = (doubts: number) => {
      const history = [
        ...historyTo.Submitting,
        ...Array.from({ length: doubts }, (): TimedEvent => [failedAttempt(1, false), 100]),
      ];
      expect(ofKind("submit", history)).toEqual([]);
      return ofKind("askSubmission", history);
    };
    expect(dueAfter(0)).toEqual([
      {
        kind: "askSubmission",
        name: "ask-submission-1-1",
        dueAt: at(115),
        attempt: 1,
        key: `order-${orderId}-submission-1`,
      },
    ]);
    expect(dueAfter(1)).toMatchObject([{ name: "ask-submission-1-2", dueAt: at(100 + 120) }]);
    expect(dueAfter(30)).toMatchObject([{ dueAt: at(100 + 3_600) }]);
  });

  it("is left to staff while an attempt by hand is open", () => {
    const byHand: TimedEvent[] = [...historyTo.Confirmed, [started(1, "manual"), 55]];
    expect(tasks(byHand, addDays(start, 30))).toEqual([]);
  });

  const failures = (times: number): TimedEvent[] => [
    ...historyTo.Confirmed,
    ...Array.from({ length: times }, (_, index): TimedEvent[] => [
      [started(index + 1), 100 + index * 10],
      [failedAttempt(index + 1, true), 105 + index * 10],
    ]).flat(),
  ];

  it("is tried again after growing delays, and given up seven days after the last attempt", () => {
    expect(tasks(failures(1), at(106))).toEqual([
      { kind: "submit", name: "submit-2", dueAt: at(105 + 60), attempt: 2 },
      { kind: "fail", name: "fail-2", dueAt: addDays(at(100), 7), cause: "ours", reason: "submissionFailed" },
    ]);
    expect(ofKind("submit", failures(3), at(130))).toMatchObject([{ attempt: 4, dueAt: at(125 + 900) }]);
  });

  it("waits for staff after eight attempts, or a day after the first", () => {
    expect(ofKind("submit", failures(7), at(300))).toHaveLength(1);
    expect(ofKind("submit", failures(8), at(300))).toEqual([]);
    expect(ofKind("submit", failures(1), at(100 + 86_399))).toHaveLength(1);
    expect(ofKind("submit", failures(1), at(100 + 86_400))).toEqual([]);
    expect(ofKind("fail", failures(8), at(300))).toMatchObject([{ dueAt: addDays(at(170), 7) }]);
  });

  it("keeps its application while it waits", () => {
    expect(ofKind("purge", failures(8), addDays(start, 6))).toEqual([]);
  });
});

describe("an order that the GRO has", () => {
  it("loses its application some seconds later, and gets a mail", () => {
    expect(tasks(historyTo.Submitted)).toEqual([
      {
        kind: "mail",
        name: `mail-submitted-${uuid(7)}`,
        dueAt: at(60),
        template: "submitted",
        about: uuid(7),
      },
      {
        kind: "purge",
        name: "purge-application-1-1",
        dueAt: at(65),
        dataClass: "application",
        rule: "submitted",
        attempt: 1,
      },
    ]);
    expect(ofKind("purge", [...historyTo.Submitted, [purged, 65]])).toEqual([]);
  });

  it("retries a failed purge under a new name, within the promise of 180 seconds", () => {
    const failing = (times: number): TimedEvent[] => [
      ...historyTo.Submitted,
      ...Array.from(
        { length: times },
        (_, index): TimedEvent => [
          {
            type: "PurgeFailed",
            data: { dataClass: "application", code: "vaultUnavailable", attempt: index + 1 },
          },
          70,
        ],
      ),
    ];
    expect(ofKind("purge", failing(1))).toMatchObject([
      { name: "purge-application-1-2", dueAt: at(80), attempt: 2 },
    ]);
    expect(ofKind("purge", failing(4))).toMatchObject([{ dueAt: at(150), attempt: 5 }]);
    expect(ofKind("purge", failing(40))).toMatchObject([{ dueAt: at(370) }]);
  });

  it("is informed of a cancellation that came too late", () => {
    expect(ofKind("mail", [...cancellationAsked, [submitted(), 60]])).toMatchObject([
      { template: "submitted" },
      { template: "cancellationTooLate" },
    ]);
  });

  it("is informed of a question, and goes again once the customer answered", () => {
    expect(ofKind("mail", queried)).toMatchObject([
      { template: "submitted" },
      { template: "groQuestion" },
      { template: "dataDeleted" },
    ]);
    const replaced: TimedEvent[] = [
      ...queried,
      [
        {
          type: "ApplicationReplaced",
          data: { applicationRef: uuid(205), promise: null, fees: null },
        },
        400,
      ],
    ];
    expect(ofKind("submit", replaced)).toEqual([
      { kind: "submit", name: "submit-2", dueAt: at(400), attempt: 2 },
    ]);
    const again: TimedEvent[] = [...replaced, [started(2), 410], [submitted(2, 420), 420]];
    expect(ofKind("purge", again)).toMatchObject([{ name: "purge-application-2-1", dueAt: at(425) }]);
  });

  it("fails by the GRO when the record was not found", () => {
    expect(ofKind("fail", [...historyTo.Submitted, outcome("notFound")])).toEqual([
      { kind: "fail", name: "not-found-1", dueAt: at(300), cause: "gro", reason: "recordNotFound" },
    ]);
  });

  it("is fulfilled when it was despatched", () => {
    expect(tasks(historyTo.Dispatched)).toMatchObject([
      { kind: "mail", template: "submitted" },
      { kind: "mail", template: "dataDeleted" },
      { kind: "mail", template: "dispatched" },
      { kind: "fulfil", name: "fulfil", dueAt: at(100_000) },
    ]);
    const unknown: TimedEvent[] = [...historyTo.Confirmed, [dispatched, 90]];
    expect(ofKind("purge", unknown)).toMatchObject([{ rule: "submitted", dueAt: at(95) }]);
  });
});

describe("money that must go back", () => {
  it("is all of it after a cancellation before the submission, at once", () => {
    expect(ofKind("requestRefund", historyTo.Cancelled)).toEqual([
      {
        kind: "requestRefund",
        name: "request-refund-pi_1-1",
        dueAt: at(70),
        intentId: "pi_1",
        amountPence: 9000,
        reason: "cancelled",
      },
    ]);
  });

  it("is all of it after a failure by our cause", () => {
    expect(ofKind("requestRefund", historyTo.Failed)).toMatchObject([
      { amountPence: 9000, reason: "failedByUs" },
    ]);
  });

  const failedBecause = (
    cause: "gro" | "customer",
    reason: "recordNotFound" | "detailsInsufficient",
  ): TimedEvent[] => [...historyTo.Submitted, [{ type: "OrderFailed", data: { cause, reason } }, 400]];

  it("is what the GRO returns when the record was not found: its fee less four pounds for each copy", () => {
    expect(ofKind("requestRefund", failedBecause("gro", "recordNotFound"))).toMatchObject([
      { amountPence: 2 * (1250 + 350 - 400), reason: "recordNotFound" },
    ]);
  });

  it("leaves out the search fee where the application that was sent had an index reference", () => {
    const amendment: TimedEvent = [
      {
        type: "ApplicationAmended",
        data: {
          applicationRef: uuid(301),
          previousApplicationRef: uuid(103),
          fees: {
            groReferenceKnown: true,
            feePerCopy: { groFeePence: 1250, groSearchFeePence: 0, ourFeePence: 3250 },
          },
        },
      },
      52,
    ];
    const amended = failedBecause("gro", "recordNotFound").toSpliced(
      historyTo.Confirmed.length,
      0,
      amendment,
    );
    expect(ofKind("requestRefund", amended)).toMatchObject([
      { amountPence: 2 * (1250 - 400), reason: "recordNotFound" },
    ]);
  });

  it("is nothing by itself after any other failure: staff decide", () => {
    expect(ofKind("requestRefund", failedBecause("customer", "detailsInsufficient"))).toEqual([]);
    expect(ofKind("requestRefund", failedBecause("gro", "detailsInsufficient"))).toEqual([]);
  });

  const failedUnsubmitted = (cause: FailureCause, reason: FailureReason): TimedEvent[] => [
    ...historyTo.Confirmed,
    [{ type: "OrderFailed", data: { cause, reason } }, 400],
  ];

  it.each(["customer", "gro"] as const)(
    "is all of it, as after a cancellation, if nothing was submitted and the %s caused the failure",
    (cause) => {
      for (const reason of failureReason.options)
        expect(ofKind("requestRefund", failedUnsubmitted(cause, reason))).toMatchObject([
          { amountPence: 9000, reason: "notSubmitted" },
        ]);
    },
  );

  it("stays all of it where a submission is reported after that failure", () => {
    const late: TimedEvent[] = [
      ...failedUnsubmitted("customer", "detailsInsufficient"),
      [submitted(), 500],
      [dispatched, 600],
    ];
    expect(ofKind("requestRefund", late)).toMatchObject([{ amountPence: 9000, reason: "notSubmitted" }]);
  });

  it("is asked for once, then made at the provider", () => {
    const asked: TimedEvent[] = [...historyTo.Cancelled, [refundRequested(1), 80]];
    expect(ofKind("requestRefund", asked)).toEqual([]);
    expect(ofKind("refund", asked)).toEqual([
      { kind: "refund", name: "refund-1", dueAt: at(80), ...refund(1) },
    ]);
    expect(tasks([...asked, [refundIssued(1), 90]]).filter(({ kind }) => /efund/.test(kind))).toEqual([]);
  });

  it("is asked for again an hour and a day after it failed, three times in all", () => {
    const failing = (times: number): TimedEvent[] => [
      ...historyTo.Cancelled,
      ...Array.from({ length: times }, (_, index): TimedEvent[] => [
        [refundRequested(index + 1), 80],
        [refundFailed(index + 1), 81 + index],
      ]).flat(),
    ];
    const asked = (times: number) => ofKind("requestRefund", failing(times));
    expect(asked(1)).toMatchObject([{ name: "request-refund-pi_1-2", dueAt: at(81 + 3600) }]);
    expect(asked(2)).toMatchObject([{ name: "request-refund-pi_1-3", dueAt: at(82 + 86_400) }]);
    expect(asked(3)).toEqual([]);
  });

  it("is not told of anew where it came back, and another refund was made", () => {
    const first: TimedEvent[] = [...historyTo.Cancelled, [refundRequested(1), 80], [refundIssued(1), 81]];
    const about = uuid(first.length - 1);
    const again: TimedEvent[] = [
      ...first,
      [{ type: "MailSent", data: { template: "refunded", about, templateVersion: 1 } }, 82],
      [{ type: "MailBounced", data: { template: "refunded", about, kind: "hard", code: "5.1.1" } }, 83],
      [refundFailed(1), 84],
      [refundRequested(2), 85],
      [refundIssued(2), 86],
    ];
    const corrected: TimedEvent = [
      {
        type: "ContactCorrected",
        data: { contactRef: uuid(302), previousContactRef: contactRef, emailChanged: true },
      },
      90,
    ];
    const told = (history: readonly TimedEvent[]) =>
      orderAfter([...history, corrected]).mails.owed.filter(({ template }) => template === "refunded");
    expect(told(again)).toMatchObject([{ about: uuid(again.length - 1) }]);
    // Control: one that stands is.
    expect(told(again.slice(0, -3))).toMatchObject([{ about }]);
  });

  it("counts what staff gave back before", () => {
    const partly: TimedEvent[] = [
      ...historyTo.Paid,
      [{ type: "RefundIssued", data: { ...made(1), amountPence: 4000 } }, 60],
      [cancelled, 70],
    ];
    expect(ofKind("requestRefund", partly)).toMatchObject([{ amountPence: 5000 }]);
  });
});

describe("the mails of an order that was paid for with others", () => {
  const ofCheckout = (history: readonly TimedEvent[]) => ({ ...orderAfter(history), checkoutId: uuid(700) });
  const dueAt = (order: Order, template: string) =>
    owed(order, at(2000), settings).find((task) => task.kind === "mail" && task.template === template)?.dueAt;

  it("wait a minute for the same event of the others", () => {
    expect(dueAt(orderAfter(historyTo.Submitted), "submitted")).toBe(at(60));
    expect(dueAt(ofCheckout(historyTo.Submitted), "submitted")).toBe(at(120));
    expect(dueAt(ofCheckout(historyTo.Dispatched), "dispatched")).toBe(
      addSeconds(dueAt(orderAfter(historyTo.Dispatched), "dispatched") ?? "", 60),
    );
  });

  it("do not wait where the submission waits for them, or they are about one order alone", () => {
    expect(dueAt(ofCheckout(requested), "confirmation")).toBe(at(40));
    const asked = [...historyTo.Submitted, outcome("queried")];
    expect(dueAt(ofCheckout(asked), "groQuestion")).toBe(dueAt(orderAfter(asked), "groQuestion"));
  });

  it("do not wait once its contact was corrected", () => {
    const order = ofCheckout(historyTo.Submitted);
    expect(dueAt({ ...order, counts: { ...order.counts, ContactCorrected: 1 } }, "submitted")).toBe(at(60));
  });
});

describe("contact data", () => {
  const contact = (history: readonly TimedEvent[]) =>
    ofKind("purge", history, addDays(start, 4000)).filter(
      (task) => task.kind === "purge" && task.dataClass === "contact",
    );
  const settled: TimedEvent[] = [...historyTo.Cancelled, [refundRequested(1), 80], [refundIssued(1), 90]];

  const arrived = (seconds: number): TimedEvent => [{ type: "CertificateArrived", data: {} }, seconds];
  const reportedSent = (dispatchedAt: string): TimedEvent[] => [
    ...historyTo.Submitted,
    [{ type: "CertificateDispatched", data: { attempt: 1, dispatchedAt } }, 100_000],
    [{ type: "OrderFulfilled", data: {} }, 100_001],
  ];
  /** Twenty working days after Tuesday 24 November. */
  const closedAt = "2026-12-22T00:00:00.000Z";
  const keptFrom = (moment: string) => [{ rule: "retention", dueAt: addDays(moment, 365) }];

  it("is kept for twelve months from the twentieth working day after despatch", () => {
    expect(contact(historyTo.Dispatched)).toEqual([]);
    expect(contact(historyTo.Fulfilled)).toMatchObject(keptFrom(closedAt));
  });

  it("is kept for twelve months from the reported arrival", () => {
    expect(contact([...historyTo.Fulfilled, arrived(400_000)])).toMatchObject(keptFrom(at(400_000)));
    const [fulfilled, ...earlier] = historyTo.Fulfilled.toReversed();
    const early: TimedEvent[] = fulfilled ? [...earlier.reverse(), arrived(100_000), fulfilled] : [];
    expect(contact(early)).toMatchObject(keptFrom(at(100_000)));
  });

  it("is kept no longer for an arrival that is reported after the order was closed", () => {
    expect(contact([...historyTo.Fulfilled, arrived(90 * 86_400)])).toMatchObject(keptFrom(closedAt));
  });

  it("counts from the day on which the certificate left the GRO, however late or wrong the report", () => {
    expect(contact(reportedSent("2026-11-23T23:30:00.000Z"))).toMatchObject(
      keptFrom("2026-12-21T00:00:00.000Z"),
    );
    expect(contact(reportedSent("2031-01-01T00:00:00.000Z"))).toMatchObject(keptFrom(closedAt));
    expect(contact(reportedSent("2001-01-01T00:00:00.000Z"))).toMatchObject(
      keptFrom("2026-12-21T00:00:00.000Z"),
    );
  });

  it("is kept for twelve months from a cancellation or failure, also when a despatch is reported after it", () => {
    expect(contact(settled)).toMatchObject(keptFrom(at(70)));
    expect(contact([...settled, [dispatched, 100_000]])).toMatchObject(keptFrom(at(70)));
  });

  it("is kept for twelve months from the close of a fulfilled order that was refunded", () => {
    const requested: TimedEvent = [
      { type: "RefundRequested", data: { ...refund(1), reason: "staffDecision", proposal: null } },
      200_000,
    ];
    const issued: TimedEvent = [refundIssued(1), 300_000];
    expect(contact([...historyTo.Fulfilled, requested])).toEqual([]);
    expect(contact([...historyTo.Fulfilled, requested, issued])).toMatchObject(keptFrom(closedAt));
  });

  it("is kept while a refund is owed, on its way, or left to staff", () => {
    expect(contact(historyTo.Cancelled)).toEqual([]);
    expect(contact([...historyTo.Cancelled, [refundRequested(1), 80]])).toEqual([]);
    const stuck = [1, 2, 3].flatMap((n): TimedEvent[] => [
      [refundRequested(n), 80],
      [refundFailed(n), 81],
    ]);
    expect(contact([...historyTo.Cancelled, ...stuck])).toEqual([]);
  });

  const erase: TimedEvent = [{ type: "ErasureRequested", data: {} }, 100_500];

  it("goes on request once nothing needs it: the order has ended and no mail is owed", () => {
    expect(contact([...historyTo.Submitted, erase])).toEqual([]);
    const mailed: TimedEvent[] = orderAfter(historyTo.Fulfilled).mails.owed.map(({ template, about }) => [
      { type: "MailSent", data: { template, about, templateVersion: 1 } },
      100_200,
    ]);
    expect(contact([...historyTo.Fulfilled, ...mailed, erase])).toMatchObject([
      { rule: "erasure", dueAt: at(100_500) },
    ]);
    expect(contact([...historyTo.Fulfilled, erase])).toMatchObject([{ rule: "retention" }]);
    expect(contact([...historyTo.Fulfilled, ...mailed, erase, arrived(400_000)])).toMatchObject([
      { rule: "erasure", dueAt: at(100_500) },
    ]);
  });

  it("sends no mail once it is gone", () => {
    const gone: TimedEvent[] = [
      ...settled,
      [
        {
          type: "ContactDataPurged",
          data: {
            startedBy: null,
            destroyed: ["contact"],
            rule: "retention",
            keyFingerprint: "ab".repeat(32),
            probe: "unreadable",
            records: 1,
          },
        },
        200_000,
      ],
    ];
    expect(ofKind("mail", settled)).not.toEqual([]);
    expect(ofKind("mail", gone)).toEqual([]);
    expect(contact(gone)).toEqual([]);
  });
});
