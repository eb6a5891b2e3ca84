import type { ZodType } from "zod";
import * as z from "zod/mini";
import { adoption } from "../../../domain/certificates/adoption.ts";
import { birth } from "../../../domain/certificates/birth.ts";
import { type Details, type FieldTable, isDate } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import { death } from "../../../domain/certificates/death.ts";
import { marriage } from "../../../domain/certificates/marriage.ts";
import type { DateRule } from "../../../domain/forms/event-date.ts";
import type { CertificateType } from "../../../domain/order/vocabulary.ts";

/** Text in a field, possibly incomplete. Incompatible values stored by an older page become empty. */
export const text = (start = "") => z.catch(z.string(), start);

/** The forms as typed. Yes and no are the values of radio buttons. */

const dateAnswers = z.object({ day: text(), month: text(), year: text() });

type Answer<Rule> = Rule extends DateRule ? typeof dateAnswers : ReturnType<typeof text>;
type AnswersTo<Fields extends FieldTable> = { [Name in keyof Fields]: Answer<Fields[Name]["rule"]> };

function answersTo<Fields extends FieldTable>(fields: Fields): AnswersTo<Fields>;
function answersTo(fields: FieldTable): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { rule, start }]) => [name, isDate(rule) ? dateAnswers : text(start)]),
  );
}

export const birthAnswers = z.object(answersTo(birth.fields));
export const deathAnswers = z.object(answersTo(death.fields));
export const marriageAnswers = z.object(answersTo(marriage.fields));
export const adoptionAnswers = z.object(answersTo(adoption.fields));

/** An empty form. */
const empty =
  <Answers>(answers: z.ZodMiniType<Answers>, fields: FieldTable) =>
  (): Answers => {
    const dates = Object.entries(fields).filter(([, { rule }]) => isDate(rule));
    return answers.parse(Object.fromEntries(dates.map(([name]) => [name, {}])));
  };

/** Step 3's answers, one set per form. A form missing from the stored draft starts empty. */
export const certificateAnswers = z.object({
  birth: z.catch(birthAnswers, empty(birthAnswers, birth.fields)),
  death: z.catch(deathAnswers, empty(deathAnswers, death.fields)),
  marriage: z.catch(marriageAnswers, empty(marriageAnswers, marriage.fields)),
  adoption: z.catch(adoptionAnswers, empty(adoptionAnswers, adoption.fields)),
});

export type CertificateAnswers = z.infer<typeof certificateAnswers>;

/** All four forms with defaults only. */
export const emptyAnswers = (): CertificateAnswers => certificateAnswers.parse({});

type TypedAnswers = CertificateAnswers & { certificateType: CertificateType };

/** Complete details of one type. */
export interface ValidDetails {
  readonly type: CertificateType;
  readonly details: Details;
}

/**
 * Step 3's valid details for the chosen type; undefined while incomplete. `today` is the day in London.
 */
export function validDetails(answers: TypedAnswers, today: string): ValidDetails | undefined {
  const type = answers.certificateType;
  const { data } = detailsSchema(type, today).safeParse(sharedAnswers(answers));
  return data && { type, details: data };
}

const schemas = new Map<string, ZodType<Details>>();

/** A form's schema, built once a day: every change of the draft is checked, and building takes longer than checking. */
function detailsSchema(type: CertificateType, today: string): ZodType<Details> {
  const key = `${type} ${today}`;
  const schema = schemas.get(key) ?? certificates[type].details(today);
  schemas.set(key, schema);
  return schema;
}

export const sharedAnswers = (answers: TypedAnswers) => answers[certificates[answers.certificateType].form];
