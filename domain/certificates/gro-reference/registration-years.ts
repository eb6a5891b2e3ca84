import type { CertificateType } from "../../order/vocabulary.ts";
import type { YearsRegistered } from "./doubts.ts";

/**
 * The years in which an event was registered: births in the year given as such, marriages on their day, deaths in the
 * year of the death or, with an inquest or at its end, the next. Undefined for adoptions, whose register has an index
 * of its own, and for what is no year. `year` as typed: the year registered of a birth, else the year of the event.
 */
export function registrationYears(type: CertificateType, year: unknown): YearsRegistered | undefined {
  const typed = Number(String(year ?? "").trim() || Number.NaN);
  if (!Number.isInteger(typed) || typed < 1000 || typed > 9999) return undefined;
  switch (type) {
    case "Birth":
    case "Marriage":
      return { from: typed, to: typed };
    case "Death":
      return { from: typed, to: typed + 1 };
    case "Adoption":
      return undefined;
    default:
      return type satisfies never;
  }
}
