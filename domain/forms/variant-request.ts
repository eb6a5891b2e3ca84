import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { certificates } from "../certificates/certificates.ts";
import { derivedFrom } from "../certificates/payload.ts";
import { brokenRules, certificateRequest } from "../certificates/request.ts";
import { variantAnswers } from "./order-answers.ts";
import { serviceTypeOf } from "./order-payload.ts";
import { everyTypeOrderable, type OrderableTypes, whyNotOrderable } from "./orderable-types.ts";
import { otherOfficeFor, phoneFor } from "./registration-office.ts";

/** POST /api/orders/{id}/variants, split into the order's decision and the vault's record. */

const shapes = (today: CalendarDate) =>
  z.discriminatedUnion(
    "certificateType",
    [
      z.object({ ...certificateRequest("Birth", today), ...variantAnswers }),
      z.object({ ...certificateRequest("Death", today), ...variantAnswers }),
      z.object({ ...certificateRequest("Marriage", today), ...variantAnswers }),
      z.object({ ...certificateRequest("Adoption", today), ...variantAnswers }),
    ],
    "Certificate type is required",
  );

type Variant = z.output<ReturnType<typeof shapes>>;

const body = (today: CalendarDate, orderable: () => OrderableTypes) =>
  shapes(today).superRefine((variant, context) => {
    const off = whyNotOrderable(variant.certificateType, orderable());
    if (off) context.addIssue({ code: "custom", path: ["certificateType"], message: off });
    const elsewhere = otherOfficeFor(variant.eventDetails.EventRegistrationLocation)?.advice;
    if (elsewhere) {
      const path = ["eventDetails", "EventRegistrationLocation"];
      context.addIssue({ code: "custom", path, message: elsewhere });
    }
    const byPhone = variant.certificateType === "Birth" ? phoneFor(variant) : undefined;
    if (byPhone) context.addIssue({ code: "custom", path: ["adopted"], message: byPhone.advice });
    for (const issue of brokenRules(variant, today)) context.addIssue({ code: "custom", ...issue });
  });

/** Details under section 3's keys, with derived fields recomputed. */
const certificateDetailsOf = ({ certificateType, certificateDetails, ...variant }: Variant) => ({
  ...certificateDetails,
  ...derivedFrom(certificates[certificateType], certificateDetails),
  NumberOfCopies: variant.fullCertificateQty + variant.shortCertificateQty,
});

function applicationOf(variant: Variant) {
  return {
    certificateType: variant.certificateType,
    customerFirstName: variant.customerFirstName,
    customerLastName: variant.customerLastName,
    // A marriage has two people, and so no single gender.
    gender: String(variant.certificateDetails.gender ?? ""),
    eventDetails: variant.eventDetails,
    certificateDetails: certificateDetailsOf(variant),
    gro: variant.eventDetails.GROReferenceKnown ? variant.gro : "",
    reference: variant.reference,
    priorityDispatch: variant.priorityDispatch,
    fullCertificateQty: variant.fullCertificateQty,
    shortCertificateQty: variant.shortCertificateQty,
    applyingForOwn: variant.applyingForOwn,
    adopted: variant.adopted,
    serviceType: serviceTypeOf(variant.priorityDispatch),
    deliveryMethod: variant.deliveryMethod,
    apostille: variant.apostille,
  };
}

/** `choice` is AddVariant's data but its vault reference; `application` is personal and goes to the vault.
 * `orderable` is asked at every parse: a schema lives for a day, and a setting may change within it. */
export const variantRequest = (
  today: CalendarDate,
  orderable: () => OrderableTypes = () => everyTypeOrderable,
) =>
  body(today, orderable).transform((variant) => {
    const application = applicationOf(variant);
    return {
      choice: {
        certificateType: variant.certificateType,
        copies: variant.fullCertificateQty,
        shortCopies: variant.shortCertificateQty,
        serviceLevel: variant.priorityDispatch ? ("priority" as const) : ("standard" as const),
        deliveryMethod: variant.deliveryMethod,
        apostille: variant.apostille,
        groReferenceKnown: application.gro !== "",
        amountPence: variant.amount,
      },
      application,
    };
  });

export type VariantRequest = z.output<ReturnType<typeof variantRequest>>;
