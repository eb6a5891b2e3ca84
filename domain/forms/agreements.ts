import type { CalendarDate } from "../calendar-date.ts";

/** A text that customers agree to. Each order stores its version, so any new wording needs a new version. */
export interface Agreement {
  readonly version: number;
  readonly datedOn: CalendarDate;
}

/** The terms and conditions. Version 1 predates this product; version 5 tells of several orders in one payment. */
export const currentTerms: Agreement = { version: 5, datedOn: "2026-11-27" };

/** The privacy notice. Version 1 predates this product; version 10 says how long the text of a GRO question is kept. */
export const currentPrivacyNotice: Agreement = { version: 10, datedOn: "2026-11-27" };

/** The express request to start work within the 14-day cancellation period. Version 3 is about each certificate. */
export const currentConsent: Agreement = { version: 3, datedOn: "2026-11-27" };
