import type { AnotherOrder } from "../../../contract/orders/own-records.ts";
import { serviceTypeOf } from "../../../domain/forms/order-payload.ts";
import { type Draft, draftOf } from "../../ordering/draft/draft.ts";
import { enteredContact } from "./changes/entered-contact.ts";

const certificateDetailsStep = 3;

/**
 * The draft of an order like another: its contact and choices, and nothing about the person on the certificate. It
 * opens where that is asked for, or at the first step that is not complete.
 */
export function draftLike({ certificateType, copies, isPriority, contact }: AnotherOrder): Draft {
  const draft = draftOf(certificateType);
  const { certificateOptions: options } = draft;
  return {
    ...draft,
    certificateOptions: {
      ...options,
      fullCertificates: copies,
      isPriority,
      serviceType: serviceTypeOf(isPriority),
    },
    personalDetails: contact ? enteredContact(contact) : draft.personalDetails,
    step: certificateDetailsStep,
  };
}
