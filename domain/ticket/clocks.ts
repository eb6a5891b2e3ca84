import { type CalendarDate, calendarDate, daysAfter, daysBetween, daysIn, months } from "../calendar-date.ts";
import { londonDate } from "../promise/london-time.ts";
import { isWorkingDay, nextWorkingDay } from "../promise/timetable.ts";
import type { Acknowledgement, Ticket } from "./state.ts";
import type { TicketCategory } from "./vocabulary.ts";

/**
 * What the law asks for by a day: that a complaint is acknowledged, a request about personal data answered, money
 * returned.
 */
export const clockRules = ["acknowledgement", "dataRequest", "refund"] as const;
export type ClockRule = (typeof clockRules)[number];

/** A day by which the law wants something, and the day on which it was done. */
export interface StatutoryClock {
  readonly rule: ClockRule;
  readonly dueOn: CalendarDate;
  /** Null while it runs. */
  readonly metOn: CalendarDate | null;
}

/**
 * The last day to answer a request about personal data: the same day of the next month, or that month's last where it
 * has none; the next working day when it falls on a weekend or bank holiday. Source: UK GDPR article 12(3), and the
 * Information Commissioner's guidance on it.
 */
function answerDataRequestBy(receivedOn: CalendarDate): CalendarDate {
  const [year = 0, month = 1, day = 1] = receivedOn.split("-").map(Number);
  const name = months[month % months.length] ?? "January";
  const itsYear = month === months.length ? year + 1 : year;
  const due = calendarDate(itsYear, name, Math.min(day, daysIn(name, itsYear)));
  return isWorkingDay(due) ? due : nextWorkingDay(due);
}

/**
 * Days after the one on which a customer cancelled, within which their money goes back. Source: Consumer Contracts
 * Regulations 2013, regulation 34.
 */
const daysToRefund = 14;

/** The last day to give the money back to a customer who cancelled on a day. */
const refundBy = (cancelledOn: CalendarDate): CalendarDate => daysAfter(cancelledOn, daysToRefund);

const whenClosed = (ticket: Ticket, rule: ClockRule, dueOn: CalendarDate): StatutoryClock => ({
  rule,
  dueOn,
  metOn: ticket.firstClosedAt === null ? null : londonDate(ticket.firstClosedAt),
});

function acknowledging({ acknowledgement }: Ticket): StatutoryClock | null {
  const { by, at } = acknowledgement;
  if (by === null) return null;
  return {
    rule: "acknowledgement",
    dueOn: by,
    metOn: isAcknowledged(acknowledgement) ? londonDate(at) : null,
  };
}

const clocks: Partial<Record<TicketCategory, (ticket: Ticket) => StatutoryClock | null>> = {
  dataProtectionComplaint: acknowledging,
  dataRequest: (ticket) =>
    whenClosed(ticket, "dataRequest", answerDataRequestBy(londonDate(ticket.openedAt))),
  cancellation: (ticket) => whenClosed(ticket, "refund", refundBy(londonDate(ticket.openedAt))),
};

/**
 * The clock that the law sets for a ticket of its category; null where it sets none. What was asked for counts as done
 * when the ticket is first closed; a customer who writes again afterwards starts no new clock. It was not done if staff
 * reopen the ticket, or if the answer that closed it did not arrive. Only an acknowledgement ends that of a complaint.
 */
export const clockOf = (ticket: Ticket): StatutoryClock | null => clocks[ticket.category]?.(ticket) ?? null;

/** Days from today to the last day: 0 on that day itself, negative once it has passed. */
export const daysLeft = ({ dueOn }: Pick<StatutoryClock, "dueOn">, today: CalendarDate): number =>
  daysBetween(today, dueOn);

/**
 * Days, that of the receipt included, within which a data protection complaint must be acknowledged. Source: Data (Use
 * and Access) Act 2025.
 */
const daysToAcknowledge = 30;

/** The last day to acknowledge a data protection complaint that came on a day. */
export const acknowledgeBy = (receivedOn: CalendarDate): CalendarDate =>
  daysAfter(receivedOn, daysToAcknowledge - 1);

/**
 * Whether a person must acknowledge a ticket by other means: the mail that did so could not be delivered, or none will,
 * as where an automatic mail opened it and its customer has written nothing since.
 */
export function needsOtherAcknowledgement({ phase, acknowledgement, mails }: Ticket): boolean {
  if (phase === "Purged" || acknowledgement.by === null || isAcknowledged(acknowledgement)) return false;
  return mails.owed.every(({ template }) => template !== "ticketOpened");
}

/** Whether a ticket was acknowledged, by mail or by other means. */
export const isAcknowledged = ({ state }: Acknowledgement): boolean =>
  state === "sent" || state === "otherwise";
