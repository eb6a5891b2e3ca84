import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import type { DataClass, PurgeRule } from "../../domain/order/vocabulary.ts";
import { closedAfterWorkingDays } from "../../domain/promise/timetable.ts";
import { draftDays } from "../../domain/saved-draft/decide.ts";
import type { DraftDestructionRule } from "../../domain/saved-draft/vocabulary.ts";
import type { TicketPurgeRule } from "../../domain/ticket/vocabulary.ts";

export type RetentionLine = {
  readonly subject: "order" | "ticket" | "draft";
  /** The rule's code in receipts. */
  readonly rule: PurgeRule | TicketPurgeRule | DraftDestructionRule;
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
  doneBy: "services/policies/tasks/purge.ts",
} as const;
const ticketRule = {
  subject: "ticket",
  dataClass: "contact",
  decidedBy: "domain/ticket/owed.ts",
  doneBy: "services/policies/tickets/purge-ticket.ts",
} as const;

const draftRule = {
  subject: "draft",
  dataClass: "application",
  decidedBy: "domain/saved-draft/owed.ts",
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
