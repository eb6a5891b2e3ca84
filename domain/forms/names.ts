import { titles } from "./options.ts";
import type { ContactRecord } from "./sealed-records.ts";

/** Whether a last name is the end of a full name, and not all of it. */
export const endsWithName = (fullName: string, lastName = ""): boolean =>
  lastName !== "" && fullName.endsWith(` ${lastName}`);

/** The words that last names begin with in lower case. */
const particles =
  "ab|af|al|ap|bin|da|das|de|del|della|den|der|di|do|dos|du|el|ferch|la|las|le|los|te|ten|ter|van|von|zu|zum|zur";

const likelyLastName = new RegExp(`(?:^|\\s)((?:(?:${particles})\\s+)*\\S+)$`, "u");

/** The likely last name of a name without title: its last word, with what belongs before it, as in `van der Berg`. */
const likelyLastNameIn = (names: string): string => likelyLastName.exec(names)?.[1] ?? "";

/** The applicant, in the GRO's terms. */
export interface Applicant {
  readonly customerFirstName: string;
  readonly customerLastName: string;
}

/** Splits a full name: drops the title. Where the last name was not told apart, it is a guess. */
export function applicantNamed({
  contactFullName,
  contactLastName,
}: Pick<ContactRecord, "contactFullName" | "contactLastName">): Applicant {
  const title = titles.find((title) => contactFullName.startsWith(`${title} `)) ?? "";
  const names = contactFullName.slice(title.length).trim();
  const isToldApart = contactLastName !== undefined && endsWithName(names, contactLastName);
  const lastName = isToldApart ? contactLastName : likelyLastNameIn(names);
  return {
    customerFirstName: names.slice(0, names.length - lastName.length).trim(),
    customerLastName: lastName,
  };
}
