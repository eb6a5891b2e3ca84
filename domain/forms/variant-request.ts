import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { birthRequest, cannotOrderHere, deathRequest, lackingOfBirth } from "./certificate-requests.ts";
import { serviceTypeOf } from "./order-payload.ts";
import { variantAnswers } from "./order-requests.ts";

/** POST /api/orders/{id}/variants. Answers what the order decides on, and what the vault keeps. */

const body = (today: CalendarDate) =>
  z
    .discriminatedUnion(
      "certificateType",
      [
        z.object({ ...birthRequest(today), ...variantAnswers }),
        z.object({ ...deathRequest(today), ...variantAnswers }),
      ],
      "Certificate type is required",
    )
    .superRefine((variant, context) => {
      const elsewhere = cannotOrderHere(variant.eventDetails.EventRegistrationLocation);
      if (elsewhere) {
        const path = ["eventDetails", "EventRegistrationLocation"];
        context.addIssue({ code: "custom", path, message: elsewhere });
      }
      if (variant.certificateType !== "Birth") return;
      const { certificateDetails, eventDetails } = variant;
      for (const issue of lackingOfBirth(certificateDetails, eventDetails.YearRegistered, today)) {
        context.addIssue({ code: "custom", ...issue });
      }
    });

type Body = z.output<ReturnType<typeof body>>;

/** Details as section 3 has them, with what can be worked out worked out again. */
function certificateDetailsOf(variant: Body) {
  const NumberOfCopies = variant.fullCertificateQty + variant.shortCertificateQty;
  if (variant.certificateType === "Birth") return { ...variant.certificateDetails, NumberOfCopies };
  const death = variant.certificateDetails;
  return {
    ...death,
    DeceasedName: `${death.DeathForename} ${death.DeathSurname}`,
    MotherForename: death.MotherForenames,
    FatherForename: death.FatherForenames,
    MaritalStatus: death.gender === "Female" ? (death.MaritalStatus ?? "") : "",
    NumberOfCopies,
  };
}

function applicationOf(variant: Body) {
  return {
    certificateType: variant.certificateType,
    customerFirstName: variant.customerFirstName,
    customerLastName: variant.customerLastName,
    gender: variant.certificateDetails.gender,
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

/** `choice` is AddVariant's data but its vault reference; `application` is personal and goes to the vault. */
export const variantRequest = (today: CalendarDate) =>
  body(today).transform((variant) => {
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
