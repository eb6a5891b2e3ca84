import { orderEventSchema, orderEventSchemas, orderIdOf } from "../../domain/order/events.ts";
import type { Revealable, RevealReason } from "../../domain/order/vocabulary.ts";
import { draftEventSchema, draftEventSchemas, draftIdOf } from "../../domain/saved-draft/events.ts";
import { ticketEventSchema, ticketEventSchemas, ticketIdOf } from "../../domain/ticket/events.ts";
import type { OriginalRevealReason, TicketRevealReason } from "../../domain/ticket/vocabulary.ts";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import { eventReader, type Projection } from "../runner/projection.ts";

/** One reveal of personal data by staff. `at` is ISO 8601 in UTC. */
export type AccessEntry = {
  readonly eventId: string;
  readonly at: string;
  /** The identity provider's opaque id. */
  readonly staffId: string;
  readonly subject: { readonly kind: "order" | "ticket" | "draft"; readonly id: string };
  readonly dataClass: Revealable;
  readonly reason: RevealReason | TicketRevealReason | OriginalRevealReason;
};

/** What most entries have in common, in the order of their JSON. A change needs a new version of the read model. */
const usualEntry: AccessEntry = {
  eventId: "",
  at: "2026-11-22T10:00:00.000Z",
  staffId: "",
  subject: { kind: "order", id: "" },
  dataClass: "contact",
  reason: "customerAsked",
};

const readOrderEvent = eventReader(orderEventSchemas, orderEventSchema);
const readDraftEvent = eventReader(draftEventSchemas, draftEventSchema);
const readTicketEvent = eventReader(ticketEventSchemas, ticketEventSchema);

/** Every reveal of personal data in orders, tickets and saved drafts. */
export const accessLog: Projection<AccessEntry> = {
  name: "access-log",
  version: 3,
  isRegister: true,
  keyOf: (stream, { id, type }) =>
    (type === "PersonalDataRevealed" || type === "OriginalRevealed") &&
    (orderIdOf(stream) ?? ticketIdOf(stream) ?? draftIdOf(stream)) !== undefined
      ? id
      : undefined,
  table: {
    name: "looks",
    key: "uuid",
    columns: { at: "timestamptz", staff_id: "text", subject_id: "uuid", reason: "text" },
    indexes: [
      { unique: false, on: "(at desc, key desc)" },
      { unique: false, on: "(staff_id, at desc, key desc)" },
      { unique: false, on: "(subject_id, at desc)" },
    ],
    row: (entry) => ({
      at: entry.at,
      staff_id: entry.staffId,
      subject_id: entry.subject.id,
      reason: entry.reason,
    }),
    dictionary: usualEntry,
  },
  fold(_entry, stored) {
    const { at, actor } = eventMetadata.parse(stored.metadata);
    const head = { eventId: stored.id, at, staffId: actor.id };
    const draftId = draftIdOf(stored.stream);
    if (draftId !== undefined) {
      const { event } = readDraftEvent(stored);
      if (event.type !== "PersonalDataRevealed") throw new Error(`${event.type} is not a reveal.`);
      const subject = { kind: "draft", id: draftId } as const;
      return { ...head, subject, dataClass: "application", reason: event.data.reason };
    }
    const orderId = orderIdOf(stored.stream);
    if (orderId === undefined) {
      const { event } = readTicketEvent(stored);
      if (event.type !== "PersonalDataRevealed" && event.type !== "OriginalRevealed")
        throw new Error(`${event.type} is not a reveal.`);
      const subject = { kind: "ticket", id: ticketIdOf(stored.stream) ?? "" } as const;
      return { ...head, subject, dataClass: "contact", reason: event.data.reason };
    }
    const { event } = readOrderEvent(stored);
    if (event.type !== "PersonalDataRevealed") throw new Error(`${event.type} is not a reveal.`);
    return { ...head, subject: { kind: "order", id: orderId }, ...event.data };
  },
};
