import { type Limit, limitsOf } from "../limits.ts";
import type { TicketEventType } from "./events.ts";

export type TicketLimitRule =
  | "too-many-messages"
  | "too-many-notes"
  | "too-many-assignments"
  | "too-many-status-changes"
  | "too-many-order-links"
  | "too-many-links"
  | "too-many-reveals";

/** What can be asked of a ticket again and again, and how often. */
const mostOfTicket = {
  TicketReplied: { rule: "too-many-messages", most: 1_000, byCustomer: 200 },
  TicketNoted: { rule: "too-many-notes", most: 500 },
  TicketAssigned: { rule: "too-many-assignments", most: 200 },
  // A reply changes it as well: two for each reply, and what staff choose.
  TicketStatusChanged: { rule: "too-many-status-changes", most: 2_000 },
  TicketLinkedToOrder: { rule: "too-many-order-links", most: 50 },
  // Each sends mail to an address that is not verified.
  TicketLinkReplaced: { rule: "too-many-links", most: 30, byCustomer: 10 },
  PersonalDataRevealed: { rule: "too-many-reveals", most: 1_000 },
} as const satisfies Partial<Record<TicketEventType, Limit<TicketLimitRule>>>;

export const ticketLimits = limitsOf<TicketLimitRule>(mostOfTicket);
