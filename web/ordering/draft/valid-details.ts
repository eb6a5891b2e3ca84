import type { Details } from "../../../domain/certificates/certificate.ts";
import { certificates } from "../../../domain/certificates/certificates.ts";
import type { CertificateAnswers } from "./certificate-answers.ts";
import type { DraftType } from "./draft.ts";

/** Answers of one type's form. */
export type TypedAnswers = CertificateAnswers & { certificateType: DraftType };

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
  const { data } = certificates[type].details(today).safeParse(sharedAnswers(answers));
  return data && { type, details: data };
}

/** The answers of the chosen type's form. */
export const sharedAnswers = (answers: TypedAnswers) => answers[certificates[answers.certificateType].form];
