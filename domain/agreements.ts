import type { CalendarDate } from "./calendar-date.ts";

/** A text that customers agree to. Its version is stored with each order, so a new wording gets a new version. */
export interface Agreement {
  readonly version: number;
  readonly datedOn: CalendarDate;
}

/** The terms and conditions. Version 1 is that of April 29, 2025, from before this product. */
export const currentTerms: Agreement = { version: 3, datedOn: "2026-11-21" };

/** The privacy notice. Version 1 is that of April 29, 2025, from before this product. */
export const currentPrivacyNotice: Agreement = { version: 3, datedOn: "2026-11-21" };

/** The express request to begin the work within the 14 days in which an order can be cancelled. */
export const currentConsent: Agreement = { version: 1, datedOn: "2026-11-21" };
