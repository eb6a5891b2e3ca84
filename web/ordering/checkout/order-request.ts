import {
  orderPayloadOf,
  type VariantPayload,
  variantPayloadOf,
} from "../../../domain/forms/order-payload.ts";
import { personalDetailsSchema } from "../../../domain/forms/personal-details.ts";
import type { Draft } from "../draft/draft.ts";
import { validDetails } from "../draft/valid-details.ts";

/** Inputs from outside the draft: prices, agreed versions, the day in London. */
interface OrderTerms {
  totalPence: number;
  termsVersion: number;
  consentVersion: number;
  today: string;
}

/** The request bodies for a draft; the variant's still lacks its reference. */
export interface OrderRequest {
  order: ReturnType<typeof orderPayloadOf> & { readonly savedDrafts: readonly string[] };
  variant: (reference: string) => VariantPayload;
  /** The request as text: equal for equal requests. */
  asked: string;
}

/** @throws Error for an incomplete draft, which cannot reach step 5 */
export function orderRequestOf(draft: Draft, terms: OrderTerms): OrderRequest {
  const person = personalDetailsSchema.parse(draft.personalDetails);
  const { totalPence, termsVersion, consentVersion } = terms;
  const signature = draft.signature.trim();
  const consents = { signature, termsVersion, consentVersion };
  const order = { ...orderPayloadOf(person, totalPence, consents), savedDrafts: draft.savedKeys };
  const { fullCertificates, shortCertificates, isPriority } = draft.certificateOptions;
  const choice = { fullCopies: fullCertificates, shortCopies: shortCertificates, isPriority, totalPence };
  const valid = validDetails(draft, terms.today);
  if (!valid) throw new Error("The certificate's details are not complete");
  const variant = (reference: string) =>
    variantPayloadOf(person, valid.type, valid.details, { ...choice, reference });
  return { order, variant, asked: JSON.stringify([order, variant("")]) };
}
