import { orderEventSchema, orderEventSchemas, orderIdOf } from "../../domain/order/events.ts";
import {
  type DataClass,
  type PurgedKind,
  type PurgeFailureCode,
  type PurgeRule,
  questionClosed,
  questionPurged,
} from "../../domain/order/vocabulary.ts";
import { purgePromiseSeconds } from "../../domain/promise/purge-promise.ts";
import { draftEventSchema, draftEventSchemas, draftIdOf } from "../../domain/saved-draft/events.ts";
import type { DraftDestructionRule, PurgedDraftKind } from "../../domain/saved-draft/vocabulary.ts";
import { ticketEventSchema, ticketEventSchemas, ticketIdOf } from "../../domain/ticket/events.ts";
import type { PurgedTicketKind, TicketPurgeRule } from "../../domain/ticket/vocabulary.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { eventReader, type Projection } from "../runner/projection.ts";

/** One purge, one failed attempt, or one receipt that did not arrive. Times are ISO 8601 in UTC. No personal data. */
export type PurgeEntry = {
  readonly eventId: string;
  readonly at: string;
  readonly subject: { readonly kind: "order" | "ticket" | "draft"; readonly id: string };
  readonly dataClass: DataClass;
  /** `unreceived`: the mail with the receipt could not be delivered, or came back. */
  readonly outcome: "purged" | "failed" | "unreceived";
  /** Why the data fell due; null for all but a purge. */
  readonly rule: PurgeRule | typeof questionClosed | TicketPurgeRule | DraftDestructionRule | null;
  readonly destroyed: readonly (PurgedKind | typeof questionPurged | PurgedTicketKind | PurgedDraftKind)[];
  readonly records: number;
  readonly keyFingerprint: string | null;
  readonly probe: "unreadable" | null;
  /** Null without an earlier submission. */
  readonly secondsSinceSubmission: number | null;
  readonly code: PurgeFailureCode | null;
};

/** What most entries have in common, in the order of their JSON. A change needs a new version of the read model. */
const usualEntry: PurgeEntry = {
  rule: "submitted",
  destroyed: ["application", "signature"],
  records: 2,
  keyFingerprint: "",
  probe: "unreadable",
  secondsSinceSubmission: 5,
  code: null,
  eventId: "",
  at: "2026-11-22T10:00:00.000Z",
  subject: { kind: "order", id: "" },
  dataClass: "application",
  outcome: "purged",
};

const readOrderEvent = eventReader(orderEventSchemas, orderEventSchema);
const readDraftEvent = eventReader(draftEventSchemas, draftEventSchema);
const readTicketEvent = eventReader(ticketEventSchemas, ticketEventSchema);

const orderTypes: ReadonlySet<string> = new Set([
  "SensitiveDataPurged",
  "ContactDataPurged",
  "GROQuestionPurged",
  "PurgeFailed",
]);
const ticketTypes: ReadonlySet<string> = new Set(["TicketPurged", "PurgeFailed"]);
const draftTypes: ReadonlySet<string> = new Set(["LinkDestroyed", "DraftPurged", "PurgeFailed"]);

/** A receipt of deletion did not arrive. */
const isReceiptLost = (type: string, { template, kind }: StoredEvent["data"]): boolean =>
  template === "dataDeleted" &&
  (type === "MailUndeliverable" || (type === "MailBounced" && kind !== "complaint"));

const isEntry = ({ stream, type, data }: Pick<StoredEvent, "stream" | "type" | "data">): boolean =>
  (orderIdOf(stream) !== undefined && (orderTypes.has(type) || isReceiptLost(type, data))) ||
  (ticketIdOf(stream) !== undefined && ticketTypes.has(type)) ||
  (draftIdOf(stream) !== undefined && draftTypes.has(type));

/** Purges with their receipts. */
export const purgeRegister: Projection<PurgeEntry> = {
  name: "purge-register",
  version: 6,
  isRegister: true,
  keyOf: (_stream, event) => (isEntry(event) ? event.id : undefined),
  table: {
    name: "purges",
    key: "uuid",
    columns: {
      at: "timestamptz",
      subject_id: "uuid",
      data_class: "text",
      outcome: "text",
      rule: "text",
      late: "boolean",
    },
    indexes: [
      { unique: false, on: "(at desc, key desc)" },
      { unique: false, on: "(subject_id)" },
      { unique: false, on: "(at desc, key desc) where late or outcome <> 'purged'" },
    ],
    row: (entry) => ({
      at: entry.at,
      subject_id: entry.subject.id,
      data_class: entry.dataClass,
      outcome: entry.outcome,
      rule: entry.rule,
      late: (entry.secondsSinceSubmission ?? 0) > purgePromiseSeconds,
    }),
    dictionary: usualEntry,
  },
  fold: (_entry, stored) => {
    const orderId = orderIdOf(stored.stream);
    if (orderId !== undefined) return orderEntry(stored, orderId);
    const draftId = draftIdOf(stored.stream);
    return draftId === undefined ? ticketEntry(stored) : draftEntry(stored, draftId);
  },
};

const nothing = {
  rule: null,
  destroyed: [],
  records: 0,
  keyFingerprint: null,
  probe: null,
  secondsSinceSubmission: null,
  code: null,
} as const;

const receiptOf = <Data extends { readonly startedBy: string | null }>({
  startedBy: _,
  ...receipt
}: Data): Omit<Data, "startedBy"> => receipt;

function orderEntry(stored: StoredEvent, orderId: string): PurgeEntry {
  const { event, recorded } = readOrderEvent(stored);
  const head = {
    ...nothing,
    eventId: stored.id,
    at: recorded.at,
    subject: { kind: "order", id: orderId },
  } as const;
  switch (event.type) {
    case "SensitiveDataPurged":
      return { ...head, ...receiptOf(event.data), dataClass: "application", outcome: "purged" };
    case "ContactDataPurged":
      return { ...head, ...receiptOf(event.data), dataClass: "contact", outcome: "purged" };
    case "GROQuestionPurged": {
      const { keyFingerprint, probe } = event.data;
      const receipt = { destroyed: [questionPurged], records: 1, keyFingerprint, probe } as const;
      return { ...head, ...receipt, dataClass: "application", rule: questionClosed, outcome: "purged" };
    }
    case "PurgeFailed":
      return { ...head, dataClass: event.data.dataClass, outcome: "failed", code: event.data.code };
    case "MailUndeliverable":
    case "MailBounced":
      return { ...head, dataClass: "application", outcome: "unreceived" };
    default:
      throw new Error(`${event.type} is not a purge.`);
  }
}

function ticketEntry(stored: StoredEvent): PurgeEntry {
  const { event, recorded } = readTicketEvent(stored);
  const head = {
    ...nothing,
    eventId: stored.id,
    at: recorded.at,
    subject: { kind: "ticket", id: ticketIdOf(stored.stream) ?? "" },
    dataClass: "contact",
  } as const;
  switch (event.type) {
    case "TicketPurged":
      return { ...head, ...receiptOf(event.data), outcome: "purged" };
    case "PurgeFailed":
      return { ...head, outcome: "failed", code: event.data.code };
    default:
      throw new Error(`${event.type} is not a purge.`);
  }
}

function draftEntry(stored: StoredEvent, draftId: string): PurgeEntry {
  const { event, recorded } = readDraftEvent(stored);
  const head = {
    ...nothing,
    eventId: stored.id,
    at: recorded.at,
    subject: { kind: "draft", id: draftId },
    dataClass: "application",
  } as const;
  switch (event.type) {
    case "LinkDestroyed": {
      const { keyFingerprint, probe } = event.data;
      const receipt = { destroyed: ["savedDraftLink"], records: 1, keyFingerprint, probe } as const;
      return { ...head, ...receipt, rule: "mailed", outcome: "purged" };
    }
    case "DraftPurged":
      return { ...head, ...receiptOf(event.data), outcome: "purged" };
    case "PurgeFailed":
      return { ...head, outcome: "failed", code: event.data.code };
    default:
      throw new Error(`${event.type} is not a purge.`);
  }
}
