import type { CalendarDate } from "../calendar-date.ts";

/** A text that customers agree to. Each order stores its version, so any new wording needs a new version. */
export interface Agreement {
  readonly version: number;
  readonly datedOn: CalendarDate;
}

/** The terms and conditions. Version 1 predates this product; version 4 is version 3 in plainer words. */
export const currentTerms: Agreement = { version: 4, datedOn: "2026-11-22" };

/** The privacy notice. Version 1 predates this product; version 10 says how long the text of a GRO question is kept. */
export const currentPrivacyNotice: Agreement = { version: 10, datedOn: "2026-11-27" };

/** The express request to start work within the 14-day cancellation period. Version 2 is version 1 in plainer words. */
export const currentConsent: Agreement = { version: 2, datedOn: "2026-11-22" };
