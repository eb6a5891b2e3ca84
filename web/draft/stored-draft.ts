import {
  adoptionCertificateDetails,
  adoptionEventDetails,
  birthCertificateDetails,
  birthEventDetails,
  deathCertificateDetails,
  deathEventDetails,
  marriageCertificateDetails,
  marriageEventDetails,
} from "../../domain/certificates/certificates.ts";
import type { Draft } from "./draft.ts";
import { sharedAnswers, type ValidDetails, validDetails } from "./valid-details.ts";

/**
 * The draft as it is stored: the fields of the specification's order draft, and beside them the answers as typed, from which the draft is
 * read back. certificateDetails and eventDetails are empty until step 3 is complete.
 * @param today the day in London
 */
export function storedDraft(draft: Draft, today: string) {
  const valid = validDetails(draft, today);
  const { groReference } = sharedAnswers(draft);
  return {
    ...draft,
    certificateDetails: valid ? certificateDetailsOf(valid, draft) : {},
    eventDetails: valid ? eventDetailsOf(valid) : {},
    groReference,
    applyingForOwn: draft.certificateType === "Birth" && draft.birth.applyingForOwn === "yes",
    adopted: draft.certificateType === "Adoption" || draft.birth.adopted === "yes",
  };
}

function certificateDetailsOf(valid: ValidDetails, { certificateOptions }: Draft) {
  const counts = {
    fullCopies: certificateOptions.fullCertificates,
    shortCopies: certificateOptions.shortCertificates,
  };
  switch (valid.type) {
    case "Birth":
      return birthCertificateDetails(valid.details, counts);
    case "Death":
      return deathCertificateDetails(valid.details, counts);
    case "Marriage":
      return marriageCertificateDetails(valid.details, counts);
    case "Adoption":
      return adoptionCertificateDetails(valid.details, counts);
    default:
      return valid satisfies never;
  }
}

function eventDetailsOf(valid: ValidDetails) {
  switch (valid.type) {
    case "Birth":
      return birthEventDetails(valid.details);
    case "Death":
      return deathEventDetails(valid.details);
    case "Marriage":
      return marriageEventDetails(valid.details);
    case "Adoption":
      return adoptionEventDetails(valid.details);
    default:
      return valid satisfies never;
  }
}
