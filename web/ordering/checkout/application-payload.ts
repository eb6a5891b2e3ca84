import type { OwnApplication } from "../../../contract/orders/own-records.ts";
import { applicationPayloadOf } from "../../../domain/certificates/payload.ts";
import { titles } from "../../../domain/forms/options.ts";
import type { ValidDetails } from "../draft/valid-details.ts";

/** The applicant, in the GRO's terms. */
export type Applicant = Pick<OwnApplication, "customerFirstName" | "customerLastName">;

/** The server recomputes the copies, which the order fixes. */
const counts = { fullCopies: 0, shortCopies: 0 };

export const applicationOf = ({ type, details }: ValidDetails, applicant: Applicant): OwnApplication => ({
  ...applicant,
  certificateType: type,
  ...applicationPayloadOf(type, details, counts),
});

/** Splits a full name: drops the title, and takes the last word as last name. */
export function applicantNamed(fullName: string): Applicant {
  const words = fullName.trim().split(/\s+/);
  const titled = titles.some((title) => title === words[0]);
  const names = titled ? words.slice(1) : words;
  return { customerFirstName: names.slice(0, -1).join(" "), customerLastName: names.at(-1) ?? "" };
}
