import type { OwnApplication } from "../../../contract/orders/own-records.ts";
import { type Certificate, type Field, isDate, valueAt } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { applicationPayloadOf } from "../../../domain/certificates/payload.ts";
import { titles } from "../../../domain/forms/options.ts";
import {
  type CertificateAnswers,
  certificateAnswers,
  emptyAnswers,
  type ValidDetails,
} from "../draft/certificate-answers.ts";

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

const typed = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A date in its three fields; a null part was answered by `unknown`. */
function dateTyped(value: unknown, unknown: string) {
  const part = (name: string): unknown => valueAt(value, [name]) ?? null;
  const orUnknown = (answer: unknown): string => (answer === null ? unknown : typed(answer));
  return { day: orUnknown(part("Day")), month: orUnknown(part("Month")), year: typed(part("Year")) };
}

function answerTyped({ rule, answeredBy, key, part }: Field, application: OwnApplication): unknown {
  const path = part === "application" ? [key] : [part ?? "certificateDetails", key];
  const value = valueAt(application, path);
  if (isDate(rule)) return dateTyped(value, rule.unknownPart);
  if (answeredBy === "yes or no") return value === true ? "yes" : "no";
  return typed(value);
}

/** The forms as entered for this application, to prefill a change. */
export function enteredAnswers(application: OwnApplication): CertificateAnswers {
  const { form, fields }: Certificate = certificates[application.certificateType];
  const entered = Object.entries(fields).map(([name, field]) => [name, answerTyped(field, application)]);
  return certificateAnswers.parse({ ...emptyAnswers(), [form]: Object.fromEntries(entered) });
}
