import { type CalendarDate, yearOf } from "../calendar-date.ts";
import type { CertificateType } from "../order/vocabulary.ts";

/** The forms' option lists, in display order. */

export { months } from "../calendar-date.ts";

export const certificateTypes = [
  "Birth",
  "Death",
  "Marriage",
  "Adoption",
] as const satisfies readonly CertificateType[];
export const titles = ["Mr", "Mrs", "Miss", "Ms", "Dr", "Prof"] as const;
export const genders = ["Female", "Male"] as const;
export const birthCountries = ["England and Wales", "Scotland", "Northern Ireland"] as const;
export const registrationLocations = ["England or Wales", "Scotland", "Northern Ireland"] as const;
export const maritalStatuses = ["Single", "Married", "Divorced", "Widowed"] as const;
export const country = "United Kingdom";

export const days: readonly number[] = Array.from({ length: 31 }, (_, index) => index + 1);
export const quantities: readonly number[] = [1, 2, 3, 4, 5];

/** '1 copy' or 'N copies'. */
export const copiesLabel = (copies: number): string => (copies === 1 ? "1 copy" : `${copies} copies`);

/** The current year and the 120 before it, newest first. Older ones are typed. */
export const yearOptions = (today: CalendarDate): readonly number[] =>
  Array.from({ length: 121 }, (_, index) => yearOf(today) - index);

export type RegistrationLocation = (typeof registrationLocations)[number];

/** The types on sale, in display order: a setting, on or off for each. */
export type OrderableTypes = readonly CertificateType[];

/** The default. */
export const everyTypeOrderable: OrderableTypes = certificateTypes;

/** Switches one type on or off. */
export const withType = (orderable: OrderableTypes, type: CertificateType, isOn: boolean): OrderableTypes =>
  certificateTypes.filter((known) => (known === type ? isOn : orderable.includes(known)));

/** Why a type cannot be ordered, or undefined when it can. */
export const whyNotOrderable = (type: CertificateType, orderable: OrderableTypes): string | undefined =>
  orderable.includes(type) ? undefined : `${type} certificates cannot be ordered at the moment`;
