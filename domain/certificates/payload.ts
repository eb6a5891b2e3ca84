import type { CertificateType } from "../order/vocabulary.ts";
import { type Certificate, type Details, type Field, isDate, keysOf, valueAt } from "./certificate.ts";
import { certificates } from "./certificates.ts";

/**
 * A certificate's payload under the specification's section 3: certificateDetails, eventDetails, and their siblings.
 */

export interface Counts {
  readonly fullCopies: number;
  readonly shortCopies: number;
}

type Answers = Readonly<Record<string, unknown>>;

/** The keys of certificateDetails in section 3's order, without NumberOfCopies. */
export function certificateKeys({ fields, joined, firstKeys = [], lastKeys = [] }: Certificate): string[] {
  const keys = [...Object.keys(joined ?? {}), ...keysOf(fields, undefined)];
  const between = keys.filter((key) => !firstKeys.includes(key) && !lastKeys.includes(key));
  return [...firstKeys, ...between, ...lastKeys];
}

/** Fields of certificateDetails derived from others. */
export function derivedFrom({ fields, joined = {} }: Certificate, answers: Answers): Answers {
  const named = Object.values(fields);
  const join = (keys: readonly string[]) => keys.map((key) => answers[key]).join(" ");
  return Object.fromEntries([
    ...Object.entries(joined).map(([key, parts]) => [key, join(parts)]),
    ...named.flatMap(({ alias, key }) => (alias === undefined ? [] : [[alias, answers[key]]])),
    ...named.flatMap(({ key, onlyIf }) => {
      if (!onlyIf) return [];
      const isAsked = answers[fields[onlyIf.field]?.key ?? ""] === onlyIf.is;
      return [[key, isAsked ? (answers[key] ?? "") : ""]];
    }),
  ]);
}

/** `DateOfBirth` and the like: null stands for 'I don't know'. */
const payloadDate = (date: unknown) => ({
  Day: valueAt(date, ["day"]),
  Month: valueAt(date, ["month"]),
  Year: valueAt(date, ["year"]),
});

const payloadAnswer = ({ rule }: Field, answer: unknown): unknown =>
  isDate(rule) ? payloadDate(answer) : answer;

function answersByKey({ fields }: Certificate, details: Details, part: Field["part"]): Answers {
  const asked = Object.entries(fields).filter(([, field]) => field.part === part);
  return Object.fromEntries(asked.map(([name, field]) => [field.key, payloadAnswer(field, details[name])]));
}

/** certificateDetails from a valid form. */
export function certificateDetailsOf(type: CertificateType, details: Details, copies: Counts): Answers {
  const certificate = certificates[type];
  const answers = answersByKey(certificate, details, undefined);
  const known = { ...answers, ...derivedFrom(certificate, answers) };
  return {
    ...Object.fromEntries(certificateKeys(certificate).map((key) => [key, known[key]])),
    NumberOfCopies: copies.fullCopies + copies.shortCopies,
  };
}

/** eventDetails from a valid form. */
export const eventDetailsOf = (type: CertificateType, details: Details): Answers => ({
  EventRegistrationLocation: details.registrationLocation,
  EventType: type,
  ...answersByKey(certificates[type], details, "eventDetails"),
});

/** The answers about a certificate. A marriage has two people, and so no single gender. */
export const applicationPayloadOf = (type: CertificateType, details: Details, copies: Counts) => ({
  gender: details.gender ?? "",
  eventDetails: eventDetailsOf(type, details),
  certificateDetails: certificateDetailsOf(type, details, copies),
  gro: details.groReferenceKnown ? details.groReference : "",
  applyingForOwn: details.applyingForOwn ?? false,
  adopted: details.adopted ?? certificates[type].adopted,
});
