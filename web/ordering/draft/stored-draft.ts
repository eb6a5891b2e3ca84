import { certificateDetailsOf, eventDetailsOf } from "../../../domain/certificates/payload.ts";
import type { Draft } from "./draft.ts";
import { sharedAnswers, validDetails } from "./valid-details.ts";

/**
 * The draft as it is stored: the fields of the specification's order draft, and beside them the answers as typed, from which the draft is
 * read back. certificateDetails and eventDetails are empty until step 3 is complete.
 * @param today the day in London
 */
export function storedDraft(draft: Draft, today: string) {
  const valid = validDetails(draft, today);
  const { groReference } = sharedAnswers(draft);
  const { fullCertificates: fullCopies, shortCertificates: shortCopies } = draft.certificateOptions;
  return {
    ...draft,
    certificateDetails: valid
      ? certificateDetailsOf(valid.type, valid.details, { fullCopies, shortCopies })
      : {},
    eventDetails: valid ? eventDetailsOf(valid.type, valid.details) : {},
    groReference,
    applyingForOwn: draft.certificateType === "Birth" && draft.birth.applyingForOwn === "yes",
    adopted: draft.certificateType === "Adoption" || draft.birth.adopted === "yes",
  };
}
