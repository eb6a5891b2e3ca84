import { describe, expect, it } from "vitest";
import { sample } from "../../../testing/domain/command-fixture.ts";
import {
  contactRef,
  dispatched,
  failedAttempt,
  given,
  historyTo,
  orderAfter,
  orderId,
  purged,
  requested,
  start,
  started,
  stateAfter,
  submitted,
  type TimedEvent,
  uuid,
  when,
} from "../../../testing/domain/order-fixture.ts";
import { addSeconds } from "../../instant.ts";
import { isUnreachable } from "../../mailbox.ts";
import { feePerCopyOf } from "../../pricing/price-list.ts";
import { promiseOf } from "../../promise/timetable.ts";
import type { OrderCommand } from "../commands.ts";
import type { OrderEvent, OrderEventData } from "../events.ts";

const type = (events: readonly { type: string }[]) => events.map((event) => event.type);
const andThen = (history: readonly TimedEvent[], command: OrderCommand, seconds = 2000): TimedEvent[] => [
  ...history,
  ...when(history, command, given(seconds)).map((event): TimedEvent => [event, seconds]),
];

const startAttempt = (attempt: number, channel: "automation" | "manual" = "automation") =>
  ({ type: "StartSubmission", data: { attempt, channel } }) as const;

describe("confirming on a durable medium", () => {
  const execute = (about: string, result: "sent" | "refused") =>
    ({ type: "RecordMail", data: { template: "confirmation", templateVersion: 1, about, result } }) as const;

  it("stores the promise, computed once", () => {
    expect(when(historyTo.Paid, sample.RequestSubmission, given(0))).toEqual([
      {
        type: "SubmissionRequested",
        data: { promise: { receivedOn: "2026-11-23", despatchBy: "2026-12-14" } },
      },
    ]);
    expect(when(requested, sample.RequestSubmission)).toEqual([]);
  });

  it("makes the first confirmation the one that the submission waits for", () => {
    expect(type(when(requested, execute(uuid(4), "sent")))).toEqual(["ConfirmationSent"]);
    expect(stateAfter(andThen(requested, execute(uuid(4), "sent"))).phase).toBe("Confirmed");
  });

  it("stays unconfirmed when the mail could not be delivered, and is confirmed at the corrected address", () => {
    const bounced = andThen(requested, execute(uuid(4), "refused"));
    expect(orderAfter(bounced)).toMatchObject({ phase: "Paid", confirmation: { state: "undeliverable" } });
    const corrected = andThen(bounced, sample.CorrectContact);
    const about = uuid(corrected.length - 1);
    expect(orderAfter(corrected).mails.owed).toContainEqual({
      template: "confirmation",
      about,
      since: addSeconds(start, 2000),
    });
    expect(type(when(corrected, execute(about, "sent")))).toEqual(["ConfirmationSent"]);
  });

  it("does not take a mail to the old address for the confirmation once the address was corrected", () => {
    const corrected = andThen(requested, sample.CorrectContact);
    expect(type(when(corrected, execute(uuid(4), "sent")))).toEqual(["MailSent"]);
    expect(stateAfter(andThen(corrected, execute(uuid(4), "sent"))).phase).toBe("Paid");
  });

  it("records the same mail once", () => {
    const confirmed = andThen(requested, execute(uuid(4), "sent"));
    expect(when(confirmed, execute(uuid(4), "sent"))).toEqual([]);
  });

  it("writes the confirmation again to an address corrected later, without going back", () => {
    const corrected = orderAfter(andThen(historyTo.Submitted, sample.CorrectContact));
    expect(corrected.phase).toBe("Submitted");
    expect(corrected.mails.owed.map(({ template }) => template)).toContain("confirmation");
  });
});

describe("a corrected email address", () => {
  const correct = (emailChanged: boolean) => ({
    ...sample.CorrectContact,
    data: { contactRef: uuid(202), postal: false, emailChanged },
  });
  const erase: TimedEvent = [{ type: "ErasureRequested", data: {} }, 2000];
  const notices = (history: readonly TimedEvent[]) =>
    orderAfter(history).mails.owed.filter(({ template }) => template === "emailChanged");

  it("owes one mail to the address that was replaced", () => {
    const corrected = andThen(historyTo.Fulfilled, correct(true));
    expect(corrected.at(-1)?.[0]).toMatchObject({
      data: { previousContactRef: contactRef, emailChanged: true },
    });
    const about = uuid(corrected.length - 1);
    expect(notices(corrected)).toEqual([
      { template: "emailChanged", about, since: addSeconds(start, 2000), contactRef },
    ]);
  });

  it("owes none where the address stays, before a payment, and once erasure is requested", () => {
    expect(notices(andThen(historyTo.Paid, correct(false)))).toEqual([]);
    expect(notices(andThen(historyTo.AwaitingPayment, correct(true)))).toEqual([]);
    expect(notices(andThen([...historyTo.Fulfilled, erase], correct(true)))).toEqual([]);
    expect(notices([...andThen(historyTo.Fulfilled, correct(true)), erase])).toEqual([]);
  });

  it("is not the one whose mail came back, if erasure was requested while that was on its way", () => {
    const corrected = andThen(historyTo.Fulfilled, correct(true));
    const mail = { template: "emailChanged", about: uuid(corrected.length - 1) } as const;
    const history: TimedEvent[] = [
      ...[...corrected, erase],
      [{ type: "MailSent", data: { ...mail, templateVersion: 1 } }, 2001],
      [{ type: "MailBounced", data: { ...mail, kind: "hard", code: "5.1.1" } }, 2002],
    ];
    expect(isUnreachable(orderAfter(history).mails)).toBe(false);
  });
});

describe("an attempt", () => {
  it("has the key by which the provider knows a repeat", () => {
    expect(when(historyTo.Confirmed, startAttempt(1))).toEqual([
      {
        type: "SubmissionStarted",
        data: { attempt: 1, channel: "automation", key: `order-${orderId}-submission-1` },
      },
    ]);
  });

  it("must be the next one", () => {
    expect(() => when(historyTo.Confirmed, startAttempt(2))).toThrow(
      expect.objectContaining({ rule: "wrong-attempt", details: { attempt: 1 } }),
    );
  });

  it("stays open while the outcome is unknown, and closes on a certain failure", () => {
    const doubtful: TimedEvent[] = [...historyTo.Submitting, [failedAttempt(1, false), 70]];
    expect(orderAfter(doubtful)).toMatchObject({
      phase: "Submitting",
      attempts: { open: { attempt: 1, uncertain: 1 } },
    });
    expect(() => when(doubtful, startAttempt(2))).toThrow(expect.objectContaining({ rule: "attempt-open" }));
    const over: TimedEvent[] = [...doubtful, [failedAttempt(1, true), 80]];
    expect(orderAfter(over)).toMatchObject({ phase: "Confirmed", attempts: { open: null, count: 1 } });
    expect(type(when(over, startAttempt(2)))).toEqual(["SubmissionStarted"]);
  });

  const failures = (times: number): TimedEvent[] => [
    ...historyTo.Confirmed,
    ...Array.from({ length: times }, (_, index): TimedEvent[] => [
      [started(index + 1), 100 + index],
      [failedAttempt(index + 1, true), 100 + index],
    ]).flat(),
  ];

  it("is the last automatic one when it is the eighth; staff may go on", () => {
    expect(type(when(failures(7), startAttempt(8)))).toEqual(["SubmissionStarted"]);
    expect(() => when(failures(8), startAttempt(9))).toThrow(
      expect.objectContaining({ rule: "attempts-exhausted" }),
    );
    expect(type(when(failures(8), startAttempt(9, "manual")))).toEqual(["SubmissionStarted"]);
  });

  it("comes too late a day after the first automatic one", () => {
    const dayLater = given(100 + 86_400);
    expect(type(when(failures(1), startAttempt(2), given(99 + 86_400)))).toEqual(["SubmissionStarted"]);
    expect(() => when(failures(1), startAttempt(2), dayLater)).toThrow(
      expect.objectContaining({ rule: "attempts-exhausted" }),
    );
  });

  it("may be sent by itself again once the application was set right", () => {
    const refused: TimedEvent[] = [...historyTo.Submitting, [failedAttempt(1, true), 60]];
    const late = given(60 + 25 * 3600);
    expect(() => when(refused, startAttempt(2), late)).toThrow(
      expect.objectContaining({ rule: "attempts-exhausted" }),
    );
    const amended = andThen(refused, sample.AmendApplication, 60 + 24 * 3600);
    expect(type(when(amended, startAttempt(2), late))).toEqual(["SubmissionStarted"]);
    expect(orderAfter(amended).attempts).toMatchObject({ count: 1, automatic: 0 });
  });
});

describe("a submission that is reported", () => {
  it("is recorded once, however often it is reported", () => {
    expect(when(historyTo.Submitted, sample.RecordSubmission)).toEqual([]);
    expect(
      when(historyTo.Submitted, {
        ...sample.RecordSubmission,
        data: { ...sample.RecordSubmission.data, attempt: null },
      }),
    ).toEqual([]);
  });

  it.each(["RecordGROOutcome", "RecordDispatch"] as const)(
    "is proven by %s while the attempt is open",
    (command) => {
      expect(when(historyTo.Submitting, sample[command])[0]).toEqual({
        type: "SubmittedToGRO",
        data: { attempt: 1, groReferenceRef: null, submittedAt: given(1000).at },
      });
    },
  );

  it("is proven also after the attempt was believed to have failed", () => {
    const failed: TimedEvent[] = [...historyTo.Submitting, [failedAttempt(1, true), 70]];
    expect(type(when(failed, sample.RecordDispatch))).toEqual(["SubmittedToGRO", "CertificateDispatched"]);
  });

  it("is not proven by a late answer about an application that was replaced since", () => {
    const again: TimedEvent[] = [...replaced, [started(2), 400]];
    expect(type(when(again, sample.RecordGROOutcome))).toEqual(["GROOutcomeRecorded"]);
    expect(stateAfter(andThen(again, sample.RecordGROOutcome)).phase).toBe("Submitting");
  });

  it("does not move an order that has ended, but is kept", () => {
    const late = orderAfter(andThen(historyTo.Cancelled, sample.RecordSubmission));
    expect(late).toMatchObject({ phase: "Cancelled", submissions: 1 });
  });
});

const queried: TimedEvent[] = [
  ...historyTo.Submitted,
  [{ type: "GROOutcomeRecorded", data: { attempt: 1, outcome: "queried", questionRef: null } }, 300],
];
/** Nine days later. */
const answeredAt = "2026-12-01T10:00:00.000Z";
const replaced: TimedEvent[] = [
  ...queried,
  [purged, 301],
  [
    {
      type: "ApplicationReplaced",
      data: {
        applicationRef: uuid(205),
        promise: promiseOf("standard", answeredAt),
        fees: null,
      },
    },
    302,
  ],
];

describe("the GRO's index reference of another application", () => {
  const known = (groReferenceKnown: boolean | null) => ({ groReferenceKnown });
  /** Bought with a reference, or without. */
  const bought = (groReferenceKnown: boolean, history: readonly TimedEvent[]) =>
    history.map(([event, seconds]): TimedEvent => {
      if (event.type !== "VariantAdded") return [event, seconds];
      const { unitPricePence, serviceLevel } = event.data;
      const feePerCopy = feePerCopyOf(unitPricePence, serviceLevel, groReferenceKnown);
      return [{ ...event, data: { ...event.data, groReferenceKnown, feePerCopy } }, seconds];
    });
  const amend = (isKnown: boolean): OrderCommand => ({
    type: "AmendApplication",
    data: { ...sample.AmendApplication.data, groReferenceKnown: isKnown },
  });
  const answer = (isKnown: boolean): OrderCommand => ({
    type: "ReplaceApplication",
    data: { ...sample.ReplaceApplication.data, groReferenceKnown: isKnown },
  });
  const price = { unitPricePence: 4500, totalPence: 9000, copies: 2 };

  it.each([
    ["an amendment", historyTo.Paid, amend],
    ["an answer to the GRO", [...queried, [purged, 301]] satisfies TimedEvent[], answer],
  ] as const)("decides in %s who gets the search fee, and the price stays", (_, history, command) => {
    const without = { groFeePence: 1250, groSearchFeePence: 350, ourFeePence: 2900 };
    const withOne = { groFeePence: 1250, groSearchFeePence: 0, ourFeePence: 3250 };
    const choiceAfter = (before: boolean, now: boolean) =>
      orderAfter(andThen(bought(before, history), command(now))).variant;
    expect(choiceAfter(false, true)).toMatchObject({ ...price, ...known(true), feePerCopy: withOne });
    expect(choiceAfter(true, false)).toMatchObject({ ...price, ...known(false), feePerCopy: without });
    for (const same of [true, false])
      expect(choiceAfter(same, same)).toEqual(orderAfter(bought(same, history)).variant);
  });

  it("is recorded with its fees, which hold whatever the GRO charges later, and nothing before a choice", () => {
    const { applicationRef } = sample.AmendApplication.data;
    const data = { applicationRef, previousApplicationRef: uuid(103) };
    const fees = {
      groReferenceKnown: true,
      feePerCopy: { groFeePence: 1000, groSearchFeePence: 0, ourFeePence: 3500 },
    };
    const amended = (fees: OrderEventData<"ApplicationAmended">["fees"]): OrderEvent => ({
      type: "ApplicationAmended",
      data: { ...data, fees },
    });
    expect(orderAfter([...historyTo.Paid, [amended(fees), 40]]).variant).toMatchObject(fees);
    expect(orderAfter([...historyTo.Paid, [amended(null), 40]]).variant).toEqual(
      orderAfter(historyTo.Paid).variant,
    );
    expect(orderAfter([...historyTo.Opened, [amended(fees), 40]]).variant).toBeNull();
  });
});

describe("a question of the GRO", () => {
  it("lets the customer enter the application again, once the first is purged", () => {
    expect(() => when(queried, sample.ReplaceApplication)).toThrow(
      expect.objectContaining({ rule: "purge-pending" }),
    );
    expect(type(when([...queried, [purged, 301]], sample.ReplaceApplication))).toEqual([
      "ApplicationReplaced",
    ]);
  });

  it("has its despatch promised anew, counted from the answer", () => {
    const answer = when([...queried, [purged, 301]], sample.ReplaceApplication, {
      ...given(302),
      at: answeredAt,
    });
    const promise = { receivedOn: "2026-12-01", despatchBy: "2026-12-22" };
    const data = { applicationRef: uuid(205), promise, fees: null };
    expect(answer).toEqual([{ type: "ApplicationReplaced", data }]);
    expect(orderAfter(queried).promise).toEqual({ receivedOn: "2026-11-23", despatchBy: "2026-12-14" });
    expect(orderAfter(replaced).promise).toEqual(promise);
  });

  it("starts a new round: confirmed again, with new attempts and another purge", () => {
    expect(orderAfter(replaced)).toMatchObject({
      phase: "Confirmed",
      submission: null,
      outcome: null,
      attempts: { count: 1, automatic: 0, firstAt: null },
      vault: { application: uuid(205) },
    });
    const sentAgain: TimedEvent[] = [...replaced, [started(2), 400], [submitted(2, 410), 410]];
    expect(orderAfter(sentAgain)).toMatchObject({
      phase: "Submitted",
      submissions: 2,
      submission: { attempt: 2 },
    });
  });

  it("is recorded once for the same attempt, and again for the next", () => {
    expect(when(queried, sample.RecordGROOutcome)).toEqual([]);
    const sentAgain: TimedEvent[] = [...replaced, [started(2), 400], [submitted(2, 410), 410]];
    const second = {
      ...sample.RecordGROOutcome,
      data: { attempt: 2, outcome: "queried" as const, questionRef: null },
    };
    expect(orderAfter(andThen(sentAgain, second)).outcome).toMatchObject({ outcome: "queried" });
  });

  describe("with a text", () => {
    const asking = (questionRef: string | null, attempt: number | null = 1) =>
      ({ type: "RecordGROOutcome", data: { attempt, outcome: "queried", questionRef } }) as const;
    const asked = andThen(historyTo.Submitted, asking(uuid(210)), 300);
    const purgedSince: TimedEvent[] = [...asked, [purged, 301]];
    const textsOf = (history: readonly TimedEvent[]) => orderAfter(history).vault.questions;
    const closedBy = (...events: readonly OrderEvent[]) =>
      textsOf([...purgedSince, ...events.map((event): TimedEvent => [event, 400])]);
    const closed = [{ ref: uuid(210), closedAt: addSeconds(start, 400) }];

    it("keeps it until it is answered, or the order goes on without an answer", () => {
      expect(textsOf(purgedSince)).toEqual([{ ref: uuid(210), closedAt: null }]);
      expect(
        closedBy({
          type: "ApplicationReplaced",
          data: { applicationRef: uuid(205), promise: null, fees: null },
        }),
      ).toEqual(closed);
      expect(closedBy(dispatched)).toEqual(closed);
      expect(
        closedBy({ type: "OrderFailed", data: { cause: "gro", reason: "detailsInsufficient" } }),
      ).toEqual(closed);
      const notFound = { attempt: 1, outcome: "notFound", questionRef: null } as const;
      expect(closedBy({ type: "GROOutcomeRecorded", data: notFound })).toEqual(closed);
    });

    it("leaves the application to be purged, and entered again, as without one", () => {
      expect(type(when([...asked], sample.StartSensitiveDataPurge))).toEqual(["SensitiveDataPurgeStarted"]);
      expect(type(when(purgedSince, sample.ReplaceApplication))).toEqual(["ApplicationReplaced"]);
    });

    it("takes the text of a question that had none, or another, without a second mail", () => {
      const mailsOf = (history: readonly TimedEvent[]) =>
        orderAfter(history).mails.owed.filter(({ template }) => template === "groQuestion");
      const late = andThen(queried, asking(uuid(210)));
      expect(textsOf(late)).toEqual([{ ref: uuid(210), closedAt: null }]);
      expect(mailsOf(late)).toEqual(mailsOf(queried));
      const other = andThen(purgedSince, asking(uuid(211)));
      expect(textsOf(other)).toEqual([
        { ref: uuid(210), closedAt: addSeconds(start, 2000) },
        { ref: uuid(211), closedAt: null },
      ]);
      expect(when(purgedSince, asking(null))).toEqual([]);
    });

    it("is proven with it, and by it, while the attempt is open", () => {
      const proven = andThen(historyTo.Submitting, asking(uuid(210)));
      expect(textsOf(proven)).toEqual([{ ref: uuid(210), closedAt: null }]);
    });

    it.each([
      ["of an application replaced since", replaced],
      ["of an order that has ended", historyTo.Cancelled],
      ["of a certificate in the post", historyTo.Dispatched],
      ["before anything was paid", historyTo.Opened],
    ] as const)("drops it when it would not be kept: %s", (_, history) => {
      const events = when(history, asking(uuid(210)));
      expect(JSON.stringify(events)).not.toContain(uuid(210));
      expect(textsOf(andThen(history, asking(uuid(210))))).toEqual([]);
    });

    it("is purged by itself once closed, and not before", () => {
      const purge = { ...sample.PurgeReplacedRecord.data, recordRef: uuid(210) };
      const command = { type: "PurgeReplacedRecord", data: purge } as const;
      expect(when(purgedSince, command)).toEqual([]);
      const answered = andThen(purgedSince, sample.ReplaceApplication);
      expect(when(answered, command)).toEqual([{ type: "GROQuestionPurged", data: purge }]);
      expect(textsOf(andThen(answered, command))).toEqual([]);
      expect(when(andThen(answered, command), command)).toEqual([]);
    });

    it("is revealed alone", () => {
      const reveal = {
        type: "RevealPersonalData",
        data: { dataClass: "question", reason: "groQuery" },
      } as const;
      expect(when(purgedSince, reveal)).toEqual([{ type: "PersonalDataRevealed", data: reveal.data }]);
      for (const history of [queried, andThen(purgedSince, sample.ReplaceApplication)])
        expect(() => when(history, reveal)).toThrow(expect.objectContaining({ rule: "no-question-text" }));
    });
  });

  it("allows no cancellation and no amendment any more", () => {
    expect(() => when(replaced, sample.CancelOrder)).toThrow(
      expect.objectContaining({ rule: "already-submitted" }),
    );
    expect(() => when(replaced, sample.AmendApplication)).toThrow(
      expect.objectContaining({ rule: "already-submitted" }),
    );
  });
});

describe("a dispatch", () => {
  it("is recorded once", () => {
    expect(when(historyTo.Dispatched, sample.RecordDispatch)).toEqual([]);
  });

  it("moves an order that was paid for even without a known submission", () => {
    expect(orderAfter([...historyTo.Confirmed, [dispatched, 90]]).phase).toBe("Dispatched");
  });

  it.each(["Opened", "AwaitingPayment", "Cancelled", "Failed"] as const)(
    "does not move an order that is %s",
    (phase) => {
      expect(orderAfter(andThen(historyTo[phase], sample.RecordDispatch))).toMatchObject({
        phase,
        dispatchedAt: addSeconds(start, 2000),
      });
    },
  );
});
