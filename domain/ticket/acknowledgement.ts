import { type CalendarDate, daysAfter } from "../calendar-date.ts";
import type { Acknowledgement, Ticket } from "./state.ts";

/**
 * Days, that of the receipt included, within which a data protection complaint must be acknowledged. Source: Data (Use
 * and Access) Act 2025.
 */
const daysToAcknowledge = 30;

/** The last day to acknowledge a data protection complaint that came on a day. */
export const acknowledgeBy = (receivedOn: CalendarDate): CalendarDate =>
  daysAfter(receivedOn, daysToAcknowledge - 1);

/** Whether a person must acknowledge a ticket by other means, because the mail that did so could not be delivered. */
export const needsOtherAcknowledgement = ({ phase, acknowledgement }: Ticket): boolean =>
  phase !== "Purged" && acknowledgement.by !== null && acknowledgement.state === "undeliverable";

/** Whether a ticket was acknowledged, by mail or by other means. */
export const isAcknowledged = ({ state }: Acknowledgement): boolean =>
  state === "sent" || state === "otherwise";
