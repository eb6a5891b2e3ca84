import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { wholeNumber } from "../../domain/forms/answers.ts";
import { phases } from "../../domain/order/phases.ts";
import { staffActions } from "../../domain/order/staff/staff-actions.ts";
import { workQueues } from "../../domain/order/staff/work-queues.ts";
import { orderStatuses } from "../../domain/order/status.ts";
import { certificateType, revealable, revealReason, serviceLevel } from "../../domain/order/vocabulary.ts";
import { ownApplication, ownContact } from "../orders/own-records.ts";
import { answers, everyRole, file, get, post, staff } from "../request.ts";
import { duplicatesShown, promiseShown, receiptShown } from "../shapes.ts";

/** One line of an order's state. `name` is stable, which makes two states comparable line by line. */
export const factShown = z.object({ name: z.string(), label: z.string(), value: z.string() });

/** A line that differs from the previous state; null on the side that lacks it. */
export const changeShown = z.object({
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});

/** Who acted: each has a colour, an icon and a name on the timeline. */
const eventKinds = ["customer", "money", "gro", "staff", "privacy"] as const;

export type EventKind = (typeof eventKinds)[number];

export const entryShown = z.object({
  revision: z.int(),
  id: z.string(),
  type: z.string(),
  at: field.instant,
  kind: z.enum(eventKinds),
  title: z.string(),
  detail: z.nullable(z.string()),
  actor: z.object({
    kind: z.enum(["customer", "staff", "system", "provider"]),
    id: z.string(),
    name: z.string(),
  }),
  source: z.enum(["browser", "back office", "by itself", "notice"]),
  correlationId: z.string(),
  causationId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  changes: z.array(changeShown),
  raw: z.object({
    id: z.string(),
    stream: z.string(),
    revision: z.int(),
    position: z.string(),
    type: z.string(),
    recordedAt: field.instant,
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  }),
});

/** Timeline entries, oldest first. */
export const entriesShown = z.array(entryShown.register(z.globalRegistry, { id: "TimelineEntry" }));

export const timelineAnswer = z
  .object({ revision: z.int(), entries: entriesShown })
  .register(z.globalRegistry, { id: "Timeline" });

export const stateAtAnswer = z
  .object({
    revision: z.int(),
    at: field.instant,
    phase: z.enum(phases),
    facts: z.array(factShown),
    changes: z.array(changeShown),
  })
  .register(z.globalRegistry, { id: "OrderAtAnEvent" });

export const showTimeline = get("/api/admin/orders/{orderNumber}/timeline", {
  summary: "The timeline of an order, or the order after one of its events",
  from: everyRole,
  limit: "reads",
  query: z.object({
    /** An event's revision: answers the order as it was right after that event. */
    at: z.optional(wholeNumber({ least: 0, most: 1_000_000 }, "Use the revision of an event")),
  }),
  answers: answers(z.union([timelineAnswer, stateAtAnswer])),
  refuses: ["not-found"],
});

export type Fact = z.output<typeof factShown>;
export type Change = z.output<typeof changeShown>;
export type TimelineEntry = z.output<typeof entryShown>;
export type Timeline = z.output<typeof timelineAnswer>;
export type OrderState = z.output<typeof stateAtAnswer>;

/** Money in and out, by payment. Pence. */
export const paymentsShown = z.array(
  z.object({
    intentId: z.string(),
    amountPence: z.int(),
    unexpected: z.boolean(),
    at: field.instant,
    refundablePence: z.int(),
    refunds: z.array(
      z.object({
        /** Card refunds and bank transfers are numbered separately; null for a refund made directly at the provider. */
        number: z.nullable(z.int()),
        way: z.enum(["card", "bankTransfer"]),
        amountPence: z.int(),
        reason: z.string(),
        status: z.enum(["pending", "issued", "failed"]),
        at: field.instant,
      }),
    ),
    disputes: z.array(
      z.object({
        disputeId: z.string(),
        amountPence: z.int(),
        reason: z.string(),
        outcome: z.nullable(z.string()),
        openedAt: field.instant,
      }),
    ),
  }),
);

/** A decision that needs, or needed, a second person. */
export const proposalsShown = z.array(
  z.object({
    proposal: z.int(),
    kind: z.enum(["refund", "bankTransfer", "disputeOutcome"]),
    words: z.string(),
    proposedBy: z.object({ id: z.string(), name: z.string() }),
    status: z.enum(["open", "approved", "declined", "lapsed"]),
    at: field.instant,
  }),
);

/** The orders of one payment, this one among them. What went back was refunded, or taken back by the bank. Pence. */
export const orderedTogetherShown = z.object({
  checkoutId: field.id,
  paidPence: z.int(),
  wentBackPence: z.int(),
  orders: z.array(
    z.object({
      id: field.id,
      orderNumber: field.orderNumber,
      status: z.enum(orderStatuses),
      phase: z.enum(phases),
      certificateType: z.nullable(certificateType),
      serviceLevel: z.nullable(serviceLevel),
      copies: z.nullable(z.int()),
      paidPence: z.int(),
      wentBackPence: z.int(),
    }),
  ),
});

export const mailsShown = z.array(
  z.object({
    template: z.string(),
    result: z.enum(["sent", "undeliverable", "returned", "unwanted", "owed"]),
    /** Why it did not arrive, with the code of the recipient's server; null if it is not known to have failed. */
    why: z.nullable(z.string()),
    at: field.instant,
  }),
);

export const submissionsShown = z.array(
  z.object({
    attempt: z.int(),
    channel: z.string(),
    startedAt: field.instant,
    outcome: z.string(),
    at: z.nullable(field.instant),
  }),
);

/** The order's pending tasks, and when each is next tried. */
export const jobsShown = z.array(
  z.object({
    name: z.string(),
    words: z.string(),
    dueAt: field.instant,
    lookAt: z.nullable(field.instant),
    tries: z.nullable(field.count),
  }),
);

export const holding = z.object({
  state: z.enum(["sealed", "destroyed", "none"]),
  receipt: z.nullable(receiptShown),
});

export const promiseOfPage = z.extend(promiseShown, {
  overdue: z.boolean(),
  workingDaysLeft: z.nullable(field.count),
});

export const orderPageAnswer = z
  .object({
    orderId: field.id,
    orderNumber: field.orderNumber,
    reference: field.reference,
    revision: z.int(),
    status: z.enum(orderStatuses),
    phase: z.enum(phases),
    createdAt: field.instant,
    updatedAt: field.instant,
    certificateType: z.nullable(certificateType),
    facts: z.array(factShown),
    promise: z.nullable(promiseOfPage),
    tasks: z.array(z.object({ task: z.enum(workQueues), words: z.string() })),
    duplicates: duplicatesShown,
    /** Null where the order stands alone. */
    orderedTogether: z.nullable(orderedTogetherShown),
    /** Refunds of its payment that were made by hand at the provider and are not assigned to any order. */
    unassignedRefunds: z.array(
      z.object({ providerRefundId: field.providerId, amountPence: z.int(), at: field.instant }),
    ),
    actions: z.array(
      z.object({
        action: z.enum(staffActions),
        allowed: z.boolean(),
        rule: z.nullable(z.string()),
        why: z.nullable(z.string()),
      }),
    ),
    money: z.object({ paidPence: z.int(), refundedPence: z.int() }),
    payments: paymentsShown,
    proposals: proposalsShown,
    submissions: submissionsShown,
    mails: mailsShown,
    jobs: jobsShown,
    personal: z.object({
      application: holding,
      contact: holding,
      notes: field.count,
      /** The text of the GRO's question is kept. */
      question: z.boolean(),
    }),
  })
  .register(z.globalRegistry, {
    id: "OrderPage",
    description: "Everything about an order except sealed personal data. Money in pence",
  });

export const showOrderPage = get("/api/admin/orders/{orderNumber}", {
  summary: "An order, without its sealed personal data",
  from: everyRole,
  limit: "reads",
  answers: answers(orderPageAnswer),
  refuses: ["not-found"],
});

export type OrderPage = z.output<typeof orderPageAnswer>;
export type Holding = z.output<typeof holding>;
export type OrderedTogether = z.output<typeof orderedTogetherShown>;
export type Payment = z.output<typeof paymentsShown>[number];

export const sectionsShown = z.array(
  z.object({ heading: z.string(), facts: z.array(z.object({ name: z.string(), value: z.string() })) }),
);

export const revealedApplication = z.object({ sections: sectionsShown, application: ownApplication });

export const revealedContact = z.object({
  sections: sectionsShown,
  contact: ownContact,
  groReferences: z.array(z.string()),
  bankTransfers: z.array(z.string()),
  notes: z.array(
    z.object({
      revision: z.nullable(z.int()),
      at: z.nullable(field.instant),
      by: z.nullable(z.string()),
      text: z.string(),
    }),
  ),
});

/** The text of the GRO's question. */
export const revealedQuestion = z.object({ question: z.string() });

const lookedAt = { revision: z.int() };

/** What was requested. */
const revealedAnswer = z
  .union([
    z.extend(revealedApplication, lookedAt),
    z.extend(revealedContact, lookedAt),
    z.extend(revealedQuestion, lookedAt),
  ])
  .register(z.globalRegistry, { id: "RevealedData" });

const reason = z.enum(revealReason.options, "Choose a reason");

export const revealOrder = post("/api/admin/orders/{orderNumber}/reveal", {
  summary: "Reveal personal data; the access is recorded",
  from: staff,
  limit: "commands",
  body: z.object({ dataClass: z.enum(revealable.options, "Choose what to reveal"), reason }),
  answers: answers(revealedAnswer),
  refuses: ["not-found", "forbidden-in-phase", "personal-data-destroyed"],
});

/** Reveals both classes. */
export const printApplication = post("/api/admin/orders/{orderNumber}/application.pdf", {
  summary: "The completed GRO form; the access is recorded",
  from: staff,
  limit: "commands",
  body: z.object({ reason }),
  answers: file("application/pdf"),
  refuses: ["not-found", "forbidden-in-phase", "personal-data-destroyed"],
});

export type RevealedSections = z.output<typeof sectionsShown>;
export type RevealedApplication = z.output<typeof revealedApplication> & { readonly revision: number };
export type RevealedQuestion = z.output<typeof revealedQuestion> & { readonly revision: number };
export type RevealedContact = z.output<typeof revealedContact> & { readonly revision: number };
