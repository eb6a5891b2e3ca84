import { type AdoptionDetails, adoptionDetailsSchema } from "../../domain/certificates/adoption.ts";
import { type BirthDetails, birthDetailsSchema } from "../../domain/certificates/birth.ts";
import { type DeathDetails, deathDetailsSchema } from "../../domain/certificates/death.ts";
import { type MarriageDetails, marriageDetailsSchema } from "../../domain/certificates/marriage.ts";
import type { CertificateAnswers } from "./certificate-answers.ts";
import type { DraftType } from "./draft.ts";

/** Answers of one type's form. */
export type TypedAnswers = CertificateAnswers & { certificateType: DraftType };

/** Complete details of one type. */
export type ValidDetails =
  | { type: "Birth"; details: BirthDetails }
  | { type: "Death"; details: DeathDetails }
  | { type: "Marriage"; details: MarriageDetails }
  | { type: "Adoption"; details: AdoptionDetails };

/** Step 3's details by the rules of the chosen type, or undefined while they are not complete. `today` is the day in London. */
export function validDetails(answers: TypedAnswers, today: string): ValidDetails | undefined {
  const type = answers.certificateType;
  switch (type) {
    case "Birth": {
      const { data } = birthDetailsSchema(today).safeParse(answers.birth);
      return data && { type, details: data };
    }
    case "Death": {
      const { data } = deathDetailsSchema(today).safeParse(answers.death);
      return data && { type, details: data };
    }
    case "Marriage": {
      const { data } = marriageDetailsSchema(today).safeParse(answers.marriage);
      return data && { type, details: data };
    }
    case "Adoption": {
      const { data } = adoptionDetailsSchema(today).safeParse(answers.adoption);
      return data && { type, details: data };
    }
    default:
      return type satisfies never;
  }
}

/** The answers of the chosen type's form that every form has. */
export function sharedAnswers(answers: TypedAnswers) {
  switch (answers.certificateType) {
    case "Birth":
      return answers.birth;
    case "Death":
      return answers.death;
    case "Marriage":
      return answers.marriage;
    case "Adoption":
      return answers.adoption;
    default:
      return answers.certificateType satisfies never;
  }
}
