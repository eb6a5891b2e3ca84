import type { CertificateType } from "../order/vocabulary.ts";
import { adoption } from "./adoption.ts";
import { birth } from "./birth.ts";
import {
  type Certificate,
  type Field,
  type FieldTable,
  isDate,
  type ReviewLine,
  valueAt,
} from "./certificate.ts";
import { death } from "./death.ts";
import { marriage } from "./marriage.ts";

/** Every type of certificate. */
export const certificates: Readonly<Record<CertificateType, Certificate>> = {
  Birth: birth,
  Death: death,
  Marriage: marriage,
  Adoption: adoption,
};

/** One line of a review: its name and the answer. */
export interface ReviewFact {
  readonly name: string;
  readonly answer: string;
}

const textAt = (typed: unknown, ...path: readonly string[]): string => String(valueAt(typed, path) ?? "");

/** The known parts of a date. */
function dateWords(date: unknown): string {
  const known = [textAt(date, "day"), textAt(date, "month")].filter((part) =>
    /^(\d+|[A-Z][a-z]+)$/.test(part),
  );
  return [...known, textAt(date, "year")].join(" ").trim();
}

const referenceWords = (typed: unknown): string =>
  textAt(typed, "groReferenceKnown") === "yes"
    ? textAt(typed, "groReference").trim() || "Not given"
    : "Not known";

function answerWords(name: string, { rule, answeredBy, onlyIf, key }: Field, typed: unknown): string {
  if (onlyIf && textAt(typed, onlyIf.field) !== onlyIf.is) return "";
  if (key === "gro") return referenceWords(typed);
  if (answeredBy === "yes or no") return textAt(typed, name) === "yes" ? "Yes" : "No";
  return isDate(rule) ? dateWords(valueAt(typed, [name])) : textAt(typed, name).trim();
}

function factOf(line: ReviewLine, fields: FieldTable, typed: unknown): ReviewFact {
  const names = typeof line === "string" ? [line] : line.answers;
  const words = names.map((name) => {
    const field = fields[name];
    return field ? answerWords(name, field, typed) : "";
  });
  const name = typeof line === "string" ? (fields[line]?.label ?? line) : line.name;
  return { name, answer: words.filter(Boolean).join(" ") };
}

/** The subject and the register entry: the form's non-empty answers as typed. */
export function certificateReview(type: CertificateType, typed: unknown): ReviewFact[] {
  const { review, fields } = certificates[type];
  return review.map((line) => factOf(line, fields, typed)).filter(({ answer }) => answer !== "");
}
