import { ticketCategory, ticketStatus } from "./vocabulary.ts";

/** What the inbox can be narrowed to: the values of its filters, as they stand in addresses. */
export const inboxStatuses = ticketStatus.options;
export const inboxCategories = ticketCategory.options;
/** Whose: one's own, what nobody has taken, or anybody's. */
export const inboxAssignees = ["mine", "nobodys"] as const;
/** Who waited longest first, the newest first, or by the law's last day, which lists only tickets that have one. */
export const inboxOrders = ["longest", "newest", "due"] as const;
