import { type Draft, draftOf, personAnswers } from "../../web/ordering/draft/draft.ts";
import { adoption, birth, death, marriage, person } from "../domain/form-fixture.ts";

/** Drafts with everything filled in and signed, as the wizard keeps them. */

const signed = { signature: "Siân Ó Briain", acceptsTerms: true, asksToBegin: true };

const completeDraft = (type: Draft["certificateType"]): Draft => ({
  ...draftOf(type),
  ...signed,
  personalDetails: personAnswers.parse(person),
});

export const completeBirthDraft = (): Draft => ({ ...completeDraft("Birth"), birth: structuredClone(birth) });

export const completeDeathDraft = (): Draft => ({ ...completeDraft("Death"), death: structuredClone(death) });

export const completeMarriageDraft = (): Draft => ({
  ...completeDraft("Marriage"),
  marriage: structuredClone(marriage),
});

export const completeAdoptionDraft = (): Draft => ({
  ...completeDraft("Adoption"),
  adoption: structuredClone(adoption),
});

/** One complete draft of each type. */
export const completeDrafts = (): Draft[] => [
  completeBirthDraft(),
  completeDeathDraft(),
  completeMarriageDraft(),
  completeAdoptionDraft(),
];
