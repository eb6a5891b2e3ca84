import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import { type DataClass, type PurgeRule, questionClosed } from "../../domain/order/vocabulary.ts";
import { closedAfterWorkingDays } from "../../domain/promise/timetable.ts";
import { draftDays } from "../../domain/saved-draft/decide.ts";
import type { DraftDestructionRule } from "../../domain/saved-draft/vocabulary.ts";
import type { TicketPurgeRule } from "../../domain/ticket/vocabulary.ts";

/** One processing activity, as Article 30 of the UK GDPR requires a controller to record it. */
type ProcessingActivity = {
  readonly name: string;
  readonly purpose: string;
  readonly lawfulBasis: string;
  readonly people: string;
  readonly data: readonly string[];
  readonly recipients: readonly string[];
  /** Rules of the retention schedule that end it. */
  readonly endedBy: readonly string[];
};

export type ProcessingRecord = {
  readonly transfers: string;
  readonly security: readonly string[];
  readonly activities: readonly ProcessingActivity[];
};

/** This product's processing of personal data. Keep it in step with the code. */
export const processingRecord = (submittedByHand: boolean): ProcessingRecord => ({
  transfers:
    "This product transfers no personal data outside the UK and the EEA. Each recipient below acts under its own terms.",
  security: [
    "Each record is sealed with its own key (AES-256-GCM). Keys are kept outside the database; destroying a key destroys its record.",
    "Events, read models, jobs and logs hold no personal data; a test reads every event schema.",
    "Staff see masked data. Each time they reveal data, the access log records who, why and when.",
    "The event log is a hash chain, signed every minute with a key stored beside the others; audits compare it with what was signed.",
    "Roles are checked by the server on every request; signing out everywhere takes effect at once.",
  ],
  activities: [
    {
      name: "Ordering a certificate",
      purpose:
        "To fill in and submit the application to the General Register Office, and to keep the customer informed",
      lawfulBasis: "Contract (Article 6(1)(b))",
      people:
        "Customers; persons to whom they have a certificate posted; the persons named in applications, and their parents or spouses",
      data: [
        "Contact: name, company, email address, telephone numbers, postal address, the customer's own reference, the GRO's order reference",
        "Contact: name and postal address of another person to whom the certificate is posted, as the customer gave them",
        "Application: certificate details, event details, the GRO's index reference, the typed signature",
        "Application: the text of a question of the GRO about them",
      ],
      recipients: [
        submittedByHand
          ? "General Register Office, submitted by our staff"
          : "General Register Office, through the automation service",
        "The mail server, for messages to the customer",
      ],
      endedBy: ["submitted", "cancelled", "failed", "neverPaid", "questionClosed", "retention", "erasure"],
    },
    {
      name: "Keeping an unfinished order",
      purpose: "To let people finish an order later, on any device, when they ask for a link to it",
      lawfulBasis: "Steps taken at the customer's request before a contract (Article 6(1)(b))",
      people: "People who save an order; the persons named in it",
      data: [
        "Application: the answers typed so far, without signature or consent",
        "Application: the email address to which the link was sent, and the link's key until the email has been sent",
      ],
      recipients: ["The mail server, for the link"],
      endedBy: ["mailed", "expired", "ordered", "requested", "replaced"],
    },
    {
      name: "Taking payment and refunding",
      purpose: "To charge the card, make refunds and answer disputes",
      lawfulBasis: "Contract (Article 6(1)(b)); accounting records: legal obligation (Article 6(1)(c))",
      people: "Customers",
      data: [
        "Amounts, dates and the provider's own ids. Card details go from the browser to the card provider and never reach us.",
        "Contact: the reference of a bank transfer, where a card refund fails. Account details are not kept.",
      ],
      recipients: ["The card payment provider", "Our bank, for a refund by bank transfer"],
      endedBy: ["retention", "erasure"],
    },
    {
      name: "Answering questions and complaints",
      purpose: "To answer everyone who writes, within the legal time limits",
      lawfulBasis:
        "Legitimate interests (Article 6(1)(f)); data protection requests: legal obligation (Article 6(1)(c))",
      people: "People who write to support",
      data: [
        "Name, email address, subject, messages, and staff notes about them",
        "Files that came with messages, and emails as they came",
      ],
      recipients: ["The mail server, for replies"],
      endedBy: ["retention", "orderPurged", "erasure"],
    },
    {
      name: "Keeping evidence",
      purpose: "To show that an order was handled and that personal data was destroyed",
      lawfulBasis: "Legitimate interests (Article 6(1)(f)); accountability: Article 5(2)",
      people: "Customers and staff",
      data: ["Events: ids, amounts, dates, codes, opaque staff ids. Nothing that a customer typed."],
      recipients: [],
      endedBy: [],
    },
  ],
});

export type RetentionLine = {
  readonly subject: "order" | "ticket" | "draft";
  /** The rule's code in receipts. */
  readonly rule: PurgeRule | typeof questionClosed | TicketPurgeRule | DraftDestructionRule;
  readonly dataClass: DataClass;
  /** The event that starts the period. */
  readonly trigger: string;
  /** Seconds from then until destruction, under the current settings. */
  readonly afterSeconds: number;
  /** Source paths of the code that decides and carries it out. */
  readonly decidedBy: string;
  readonly doneBy: string;
};

const secondsPerDay = 86_400;

const orderRule = {
  subject: "order",
  decidedBy: "domain/order/personal-data/purge-tasks.ts",
  doneBy: "services/policies/purging/purge.ts",
} as const;
const ticketRule = {
  subject: "ticket",
  dataClass: "contact",
  decidedBy: "domain/ticket/owed.ts",
  doneBy: "services/policies/tickets/perform-ticket-task.ts",
} as const;

const draftRule = {
  subject: "draft",
  dataClass: "application",
  decidedBy: "domain/saved-draft/state.ts",
  doneBy: "services/policies/drafts/perform-draft-task.ts",
} as const;

/** The installation's retention schedule, with its policies' current durations. */
export function retentionSchedule(settings: TaskSettings): readonly RetentionLine[] {
  const { purgeAfterSeconds, unpaidExpiresAfterSeconds } = settings;
  const retentionSeconds = settings.contactRetentionDays * secondsPerDay;
  const neverPaid = {
    ...orderRule,
    rule: "neverPaid",
    trigger: "The order was created and never paid for",
    afterSeconds: unpaidExpiresAfterSeconds,
  } as const;
  const application = { ...orderRule, dataClass: "application" } as const;
  const contact = { ...orderRule, dataClass: "contact" } as const;
  return [
    {
      ...application,
      rule: "submitted",
      trigger: "The GRO has the application",
      afterSeconds: purgeAfterSeconds,
    },
    { ...application, rule: "cancelled", trigger: "The order was cancelled", afterSeconds: 0 },
    { ...application, rule: "failed", trigger: "The order failed", afterSeconds: 0 },
    {
      ...application,
      rule: questionClosed,
      trigger:
        "The customer answered the GRO's question, of which the text was kept, or the certificate was despatched or the order failed without an answer",
      afterSeconds: 0,
      doneBy: "services/policies/tasks/simple-tasks.ts",
    },
    { ...neverPaid, dataClass: "application" },
    { ...neverPaid, dataClass: "contact" },
    {
      ...contact,
      rule: "retention",
      trigger: `The customer reported the arrival, or ${closedAfterWorkingDays} working days passed since the despatch; or the paid order was cancelled or failed; with no refund or dispute open`,
      afterSeconds: retentionSeconds,
    },
    {
      ...contact,
      rule: "erasure",
      trigger: "The customer asked for erasure, and there is no longer a lawful need for the data",
      afterSeconds: 0,
    },
    { ...ticketRule, rule: "retention", trigger: "The ticket was closed", afterSeconds: retentionSeconds },
    {
      ...ticketRule,
      rule: "orderPurged",
      trigger: "The contact data of its order was destroyed, and the ticket is closed",
      afterSeconds: 0,
    },
    {
      ...ticketRule,
      rule: "erasure",
      trigger: "The customer asked for erasure, and the ticket is closed",
      afterSeconds: 0,
    },
    {
      ...draftRule,
      rule: "mailed",
      trigger: "The email with the link to a saved order was sent, or could not be delivered",
      afterSeconds: 0,
    },
    {
      ...draftRule,
      rule: "expired",
      trigger: "The customer saved an unfinished order and asked for a link to it",
      afterSeconds: draftDays * secondsPerDay,
    },
    {
      ...draftRule,
      rule: "ordered",
      trigger: "The saved order was placed and paid for",
      afterSeconds: 0,
    },
    {
      ...draftRule,
      rule: "requested",
      trigger: "The customer deleted the saved order, or asked for erasure",
      afterSeconds: 0,
    },
    {
      ...draftRule,
      rule: "replaced",
      trigger: "The customer saved the unfinished order again",
      afterSeconds: 0,
    },
  ];
}
