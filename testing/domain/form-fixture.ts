import { type AdoptionDetailsInput, adoption as adoptionForm } from "../../domain/certificates/adoption.ts";
import { type BirthDetailsInput, birth as birthForm } from "../../domain/certificates/birth.ts";
import { type FieldTable, isDate } from "../../domain/certificates/certificate.ts";
import { type DeathDetailsInput, death as deathForm } from "../../domain/certificates/death.ts";
import { type MarriageDetailsInput, marriage as marriageForm } from "../../domain/certificates/marriage.ts";
import type { DateRule } from "../../domain/forms/event-date.ts";
import type { PersonalDetailsInput } from "../../domain/forms/personal-details.ts";

const sampleDate = { day: "1", month: "May", year: "1950" };

type Sample<Rule> = Rule extends DateRule ? typeof sampleDate : string;
type Samples<Fields extends FieldTable> = { [Name in keyof Fields]: Sample<Fields[Name]["rule"]> };

/** An answer to each question, as typed: a fixture sets only the answers it tests. */
function sampleAnswers<Fields extends FieldTable>(fields: Fields): Samples<Fields>;
function sampleAnswers(fields: FieldTable): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { rule, optional, answeredBy, start }]) => {
      if (isDate(rule)) return [name, { ...sampleDate }];
      return [name, start ?? (optional ? "" : answeredBy ? "no" : "Sample")];
    }),
  );
}

/** Complete answers as form inputs provide them: text. */

export const today = "2026-11-23";

export const person = {
  title: "Dr",
  firstName: " Siân ",
  lastName: "Ó Briain",
  companyName: "",
  email: "sian@example.org",
  confirmEmail: "sian@example.org",
  address: {
    line1: "1 High Pavement",
    line2: "",
    town: "Nottingham",
    county: "Nottinghamshire",
    postcode: "ng11hn",
    country: "United Kingdom",
  },
  phone: { daytime: "0115 496 0000", evening: "" },
} satisfies PersonalDetailsInput;

/** Another person, to whom the certificate is posted, as typed. */
export const recipient = {
  postTo: "someone else",
  fullName: " Mair Evans ",
  line1: "2 Stryd Fawr",
  line2: "",
  town: "Bangor",
  county: "Gwynedd",
  postcode: "ll571aa",
} as const;

export const birth = {
  ...sampleAnswers(birthForm.fields),
  birthCountry: "England and Wales",
  placeOfBirth: "Nottingham",
  surnameAtBirth: "Briain",
  forenamesAtBirth: "Siân Mair",
  gender: "Female",
  dateOfBirth: { day: "29", month: "February", year: "1952" },
  fatherSurname: "",
  fatherForename: "",
  motherForename: "Mair",
  motherMaidenName: "Evans",
  motherSurname: "Briain",
  registrationLocation: "England or Wales",
  yearRegistered: "1952",
  groReferenceKnown: "yes",
  groReference: "1952 M Nottingham 3c 412",
  applyingForOwn: "yes",
  adopted: "no",
} satisfies BirthDetailsInput;

export const death = {
  ...sampleAnswers(deathForm.fields),
  deceasedForename: "Owen",
  deceasedSurname: "Evans",
  gender: "Female",
  dateOfDeath: { day: "31", month: "December", year: "1999" },
  placeOfDeath: "Cardiff",
  ageAtDeath: "84",
  motherForenames: "Gwen",
  motherSurname: "Evans",
  fatherForenames: "Dafydd",
  fatherSurname: "Evans",
  occupation: "Schoolteacher",
  maritalStatus: "Widowed",
  registrationLocation: "England or Wales",
  groReferenceKnown: "no",
  groReference: "",
} satisfies DeathDetailsInput;

export const marriage = {
  ...sampleAnswers(marriageForm.fields),
  spouse1Surname: "Evans",
  spouse1Forenames: "Dafydd",
  spouse2Surname: "Ó Briain",
  spouse2Forenames: "Gwen Mair",
  dateOfMarriage: { day: "14", month: "June", year: "1941" },
  placeOfMarriage: "St Mary's, Nottingham",
  registrationLocation: "England or Wales",
  registrationDistrict: "Nottingham",
  groReferenceKnown: "yes",
  groReference: "1941 J Nottingham 7b 1020",
} satisfies MarriageDetailsInput;

export const adoption = {
  ...sampleAnswers(adoptionForm.fields),
  adoptiveSurname: "Llŷr",
  adoptiveForenames: "Anwen Mair",
  gender: "Female",
  dateOfBirth: { day: "2", month: "May", year: "1961" },
  adoptiveParent1Surname: "Llŷr",
  adoptiveParent1Forenames: "Mair",
  adoptiveParent2Surname: "Rhys",
  adoptiveParent2Forenames: "Ifan",
  dateOfOrder: { day: "9", month: "February", year: "1962" },
  court: "Cardigan County Court",
  registrationLocation: "England or Wales",
  groReferenceKnown: "no",
  groReference: "",
} satisfies AdoptionDetailsInput;

interface Failing {
  safeParse(answers: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined };
}

/** A schema's complaints about answers, as `path: message`. */
export const problems = (schema: Failing, answers: unknown): string[] =>
  (schema.safeParse(answers).error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);

/** The answers with the one at a path changed, or omitted when the value is undefined. */
export function changed(answers: unknown, path: string, value: unknown): unknown {
  const [key = "", ...rest] = path.split(".");
  const record = typeof answers === "object" && answers !== null ? answers : {};
  const old = Object.entries(record).find(([name]) => name === key)?.[1];
  return { ...record, [key]: rest.length === 0 ? value : changed(old, rest.join("."), value) };
}
