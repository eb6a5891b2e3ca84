import { personalDetailsSchema } from "../../../domain/forms/personal-details.ts";
import { otherOfficeFor, phoneFor } from "../../../domain/forms/registration-office.ts";
import { certificatesOf } from "./basket.ts";
import { validDetails } from "./certificate-answers.ts";
import type { Draft, DraftCertificate } from "./draft.ts";

/** The steps of the wizard, in order. */
export const stepNames = [
  "Select Document",
  "Your Details",
  "Certificate Details",
  "Review & Sign",
  "Payment",
] as const;

/** Whether step 3 is complete and we can order the certificate. `today` is the day in London. */
function hasCertificateDetails(certificate: DraftCertificate, today: string): boolean {
  const { details } = validDetails(certificate, today) ?? {};
  return details !== undefined && !otherOfficeFor(details.registrationLocation) && !phoneFor(details);
}

/** Whether the certificate can be ordered. `today` is the day in London. */
export const isComplete = (certificate: DraftCertificate, today: string): boolean =>
  certificate.certificateOptions.fullCertificates > 0 && hasCertificateDetails(certificate, today);

/** Whether step 4 is signed and both boxes are ticked. */
const isSigned = (draft: Draft): boolean =>
  draft.acceptsTerms && draft.asksToBegin && draft.signature.trim() !== "";

/**
 * The furthest step that can be opened: all earlier ones are complete. One complete certificate is enough for the
 * review, which says which others are to be finished; all have to be complete for the payment.
 */
export function furthestStep(draft: Draft, today: string): number {
  if (draft.certificateOptions.fullCertificates === 0) return 1;
  if (!personalDetailsSchema.safeParse(draft.personalDetails).success) return 2;
  const all = certificatesOf(draft);
  const complete = all.filter((certificate) => isComplete(certificate, today));
  if (complete.length === 0) return 3;
  return complete.length === all.length && isSigned(draft) ? 5 : 4;
}
