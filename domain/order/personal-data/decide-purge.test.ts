import { describe, expect, it } from "vitest";
import { sample } from "../../../testing/domain/command-fixture.ts";
import {
  applicationRef,
  contactRef,
  given,
  historyTo,
  orderAfter,
  signatureRef,
  start,
  submitted,
  type TimedEvent,
  uuid,
  when,
} from "../../../testing/domain/order-fixture.ts";
import { destroyedOf, endPurge, notDestroyed, startPurge } from "../../../testing/domain/purge-fixture.ts";
import { addSeconds } from "../../instant.ts";
import type { OrderCommand } from "../commands.ts";
import { orderEventSchema, orderEventSchemas } from "../events.ts";
import type { DataClass, PurgeRule } from "../vocabulary.ts";
import { owedPurges } from "./purge-tasks.ts";

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};

const andThen = (history: readonly TimedEvent[], command: OrderCommand, seconds = 200_000): TimedEvent[] => [
  ...history,
  ...when(history, command, given(seconds)).map((event): TimedEvent => [event, seconds]),
];
const begun = (history: readonly TimedEvent[], dataClass: DataClass): TimedEvent[] =>
  andThen(history, startPurge(orderAfter(history), dataClass));
const ended = (history: readonly TimedEvent[], dataClass: DataClass, seconds = 200_001): TimedEvent[] =>
  andThen(history, endPurge(orderAfter(history), dataClass), seconds);
const destroyed = (history: readonly TimedEvent[], dataClass: DataClass): TimedEvent[] =>
  ended(begun(history, dataClass), dataClass);
const rule = (name: string) => expect.objectContaining({ rule: name });
const contactStart = (by: PurgeRule): OrderCommand => ({ type: "StartContactDataPurge", data: { rule: by } });

describe("starting a purge", () => {
  it("names every record of the class as the order stands, and the rule", () => {
    const amended = andThen(historyTo.Paid, sample.AmendApplication, 40);
    const cancelled = andThen(amended, sample.CancelOrder, 70);
    expect(when(cancelled, startPurge(orderAfter(cancelled), "application"))).toEqual([
      {
        type: "SensitiveDataPurgeStarted",
        data: {
          rule: "cancelled",
          records: [
            { ref: applicationRef, kind: "application" },
            { ref: uuid(204), kind: "application" },
            { ref: signatureRef, kind: "signature" },
          ],
        },
      },
    ]);
    const noted = andThen(andThen(historyTo.Fulfilled, sample.CorrectContact), sample.AddNote);
    expect(when(noted, startPurge(orderAfter(noted), "contact"))).toMatchObject([
      {
        data: {
          records: [
            { ref: contactRef, kind: "contact" },
            { ref: uuid(202), kind: "contact" },
            { ref: uuid(104), kind: "groOrderReference" },
            { ref: uuid(206), kind: "orderNote" },
          ],
        },
      },
    ]);
  });

  it("happens once: a second worker finds it under way, and one that comes late finds nothing", () => {
    const open = begun(historyTo.Submitted, "application");
    expect(when(open, startPurge(orderAfter(open), "application"))).toEqual([]);
    const over = ended(open, "application");
    expect(when(over, startPurge(orderAfter(over), "application"))).toEqual([]);
  });

  it("is refused before any key is erased once money or a bank needs the contact again", () => {
    const disputed = andThen(historyTo.Fulfilled, sample.RecordDispute);
    expect(() => when(disputed, contactStart("retention"))).toThrow(rule("dispute-open"));
    expect(() => when(historyTo.Cancelled, contactStart("retention"))).toThrow(rule("refund-open"));
    expect(() => when(historyTo.Fulfilled, contactStart("neverPaid"))).toThrow(rule("already-paid"));
    expect(() => when(historyTo.Fulfilled, contactStart("erasure"))).toThrow(rule("no-erasure-requested"));
  });

  it("is refused by a rule that does not hold, or holds no longer", () => {
    const asked = andThen(historyTo.Fulfilled, sample.RequestErasure);
    // A mail is still to go out, so that it is kept until then.
    expect(() => when(asked, contactStart("erasure"))).toThrow(rule("still-needed"));
    const mailed = orderAfter(asked).mails.owed.map(
      ({ template, about }): TimedEvent => [
        { type: "MailSent", data: { template, about, templateVersion: 1 } },
        200_000,
      ],
    );
    expect(when([...asked, ...mailed], contactStart("erasure"))).toMatchObject([
      { type: "ContactDataPurgeStarted", data: { rule: "erasure" } },
    ]);
    const byAnother = { type: "StartSensitiveDataPurge", data: { rule: "failed" } } as const;
    expect(() => when(historyTo.Submitted, byAnother)).toThrow(rule("still-needed"));
  });
});

describe("while a purge is under way", () => {
  const contactOpen = begun(historyTo.Fulfilled, "contact");

  it("its records are gone for every command that would read them or add to them", () => {
    expect(() => when(contactOpen, sample.CorrectContact)).toThrow(rule("contact-purged"));
    expect(() => when(contactOpen, sample.AddNote)).toThrow(rule("contact-purged"));
    expect(() => when(contactOpen, sample.RevealPersonalData)).toThrow(rule("contact-purged"));
    expect(when(contactOpen, sample.RequestErasure)).toEqual([]);
    const open = begun(historyTo.Submitted, "application");
    const look = { dataClass: "application", reason: "groQuery" } as const;
    expect(() => when(open, { type: "RevealPersonalData", data: look })).toThrow(rule("application-purged"));
  });

  it("no other application is taken, whatever the GRO asks", () => {
    const queried = andThen(begun(historyTo.Submitted, "application"), sample.RecordGROOutcome);
    expect(() => when(queried, sample.ReplaceApplication)).toThrow(rule("purge-pending"));
    expect(when(ended(queried, "application"), sample.ReplaceApplication)).toHaveLength(1);
  });

  it("it is owed until its end is recorded, also once its rule holds no longer", () => {
    const disputed = andThen(contactOpen, sample.RecordDispute, 300_000);
    expect(owedPurges(orderAfter(disputed), settings)).toMatchObject([
      { name: "purge-contact-1-1", rule: "retention", dueAt: addSeconds(start, 200_000) },
    ]);
    const over = ended(disputed, "contact", 300_001);
    expect(over.at(-1)?.[0].type).toBe("ContactDataPurged");
    expect(owedPurges(orderAfter(over), settings)).toEqual([]);
  });

  it("leaves out what a fact from outside names later, which is owed another purge", () => {
    const open = begun(historyTo.Cancelled, "application");
    const settled: TimedEvent[] = [
      ...andThen(open, {
        ...sample.RequestRefund,
        data: { ...sample.RequestRefund.data, amountPence: 9000 },
      }),
      [
        {
          type: "RefundIssued",
          data: {
            refundId: `order-${orderAfter(open).orderId}-refund-1`,
            providerRefundId: "re_1",
            intentId: "pi_1",
            amountPence: 9000,
          },
        },
        200_001,
      ],
    ];
    const contactGoes = begun(ended(settled, "application"), "contact");
    const proved: TimedEvent[] = [...contactGoes, [submitted(1, 200_002), 200_002]];
    const over = orderAfter(ended(proved, "contact", 200_003));
    expect(over.vault).toMatchObject({ contact: null, groReferences: [uuid(104)] });
    expect(owedPurges(over, settings)).toMatchObject([{ dataClass: "contact", attempt: 1 }]);
  });
});

describe("the end of a purge", () => {
  it("gives a receipt that names its start, its rule, and the seconds since the submission", () => {
    const open = begun(historyTo.Submitted, "application");
    expect(when(open, endPurge(orderAfter(open), "application"), given(66))).toEqual([
      {
        type: "SensitiveDataPurged",
        data: {
          startedBy: orderAfter(open).purges.application.open?.startedBy,
          destroyed: ["application", "signature"],
          rule: "submitted",
          keyFingerprint: "cd".repeat(32),
          probe: "unreadable",
          records: 2,
          secondsSinceSubmission: 6,
        },
      },
    ]);
    const cancelled = begun(historyTo.Cancelled, "application");
    expect(when(cancelled, endPurge(orderAfter(cancelled), "application"))).toMatchObject([
      { data: { rule: "cancelled", secondsSinceSubmission: null } },
    ]);
  });

  it("leaves no contact and no mail", () => {
    const purged = orderAfter(destroyed(historyTo.Fulfilled, "contact"));
    expect(purged).toMatchObject({ vault: { contact: null, groReferences: [] }, mails: { owed: [] } });
    expect(purged.purges.contact.open).toBeUndefined();
  });

  it("of another purge, or a repeated one, says nothing", () => {
    const open = begun(historyTo.Submitted, "application");
    expect(when(open, sample.PurgeSensitiveData)).toEqual([]);
    const late = endPurge(orderAfter(open), "application");
    expect(when(ended(open, "application"), late)).toEqual([]);
    const failed = endPurge(orderAfter(open), "application", notDestroyed);
    expect(when(ended(open, "application"), failed)).toEqual([]);
  });

  it("that could not be had raises an alarm, and leaves the purge under way and owed", () => {
    const open = begun(historyTo.Submitted, "application");
    const failed = andThen(open, endPurge(orderAfter(open), "application", notDestroyed));
    expect(failed.at(-1)?.[0]).toEqual({
      type: "PurgeFailed",
      data: { dataClass: "application", code: "stillReadable", attempt: 1 },
    });
    const order = orderAfter(failed);
    expect(order.purges.application).toMatchObject({ failures: 1, open: { rule: "submitted" } });
    expect(owedPurges(order, settings)).toMatchObject([{ dataClass: "application", attempt: 2 }]);
    expect(orderAfter(ended(failed, "application")).purges.application).toMatchObject({ failures: 0 });
  });

  it("cannot be corrected, nor asked for again", () => {
    const purged = destroyed(historyTo.Fulfilled, "contact");
    expect(() => when(purged, sample.CorrectContact)).toThrow(rule("contact-purged"));
    expect(when(purged, sample.RequestErasure)).toEqual([]);
    expect(when(purged, startPurge(orderAfter(purged), "contact"))).toEqual([]);
  });

  it("in a log of before purges were started by events empties the class as it always did", () => {
    const { outcome: _, ...receipt } = destroyedOf("contact");
    const written = { ...receipt, rule: "retention" };
    const data = orderEventSchemas.ContactDataPurged.upcasts[1](written);
    const event = orderEventSchema.parse({ type: "ContactDataPurged", data });
    const { vault, purges } = orderAfter([...historyTo.Fulfilled, [event, 200_000]]);
    expect(vault).toMatchObject({ contact: null, groReferences: [], notes: [], superseded: [] });
    expect(purges.contact.receipt).toEqual({ ...written, secondsSinceSubmission: null });
  });
});
