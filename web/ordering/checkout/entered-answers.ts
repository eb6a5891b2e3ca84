import type { OwnApplication } from "../../../contract/orders/own-records.ts";
import { type Certificate, type Field, isDate, valueAt } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { type CertificateAnswers, certificateAnswers, emptyAnswers } from "../draft/certificate-answers.ts";

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
