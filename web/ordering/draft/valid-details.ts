import type { z } from "zod";
import type { Details } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import type { CertificateAnswers } from "./certificate-answers.ts";
import type { DraftType } from "./draft.ts";

/** Answers of one type's form. */
type TypedAnswers = CertificateAnswers & { certificateType: DraftType };

/** Complete details of one type. */
export interface ValidDetails {
  readonly type: DraftType;
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

const schemas = new Map<string, z.ZodType<Details>>();

/** A form's schema, built once a day: every change of the draft is checked, and building takes longer than checking. */
function detailsSchema(type: DraftType, today: string): z.ZodType<Details> {
  const key = `${type} ${today}`;
  const schema = schemas.get(key) ?? certificates[type].details(today);
  schemas.set(key, schema);
  return schema;
}

/** The answers of the chosen type's form. */
export const sharedAnswers = (answers: TypedAnswers) => answers[certificates[answers.certificateType].form];
