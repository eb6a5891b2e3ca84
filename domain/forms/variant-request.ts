import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { adoptionRequest } from "./adoption-request.ts";
import { birthRequest, lackingOfBirth } from "./birth-request.ts";
import { deathRequest } from "./death-request.ts";
import { lackingOfMarriage, marriageRequest } from "./marriage-request.ts";
import { variantAnswers } from "./order-answers.ts";
import { serviceTypeOf } from "./order-payload.ts";
import { everyTypeOrderable, type OrderableTypes, whyNotOrderable } from "./orderable-types.ts";
import { phoneFor } from "./registration-office.ts";
import { cannotOrderHere } from "./request-answers.ts";

/** POST /api/orders/{id}/variants. Answers what the order decides on, and what the vault keeps. */

const shapes = (today: CalendarDate) =>
  z.discriminatedUnion(
    "certificateType",
    [
      z.object({ ...birthRequest(today), ...variantAnswers }),
      z.object({ ...deathRequest(today), ...variantAnswers }),
      z.object({ ...marriageRequest(today), ...variantAnswers }),
      z.object({ ...adoptionRequest(today), ...variantAnswers }),
    ],
    "Certificate type is required",
  );

type Variant = z.output<ReturnType<typeof shapes>>;

const body = (today: CalendarDate, orderable: () => OrderableTypes) =>
  shapes(today).superRefine((variant, context) => {
    const off = whyNotOrderable(variant.certificateType, orderable());
    if (off) context.addIssue({ code: "custom", path: ["certificateType"], message: off });
    const elsewhere = cannotOrderHere(variant.eventDetails.EventRegistrationLocation);
    if (elsewhere) {
      const path = ["eventDetails", "EventRegistrationLocation"];
      context.addIssue({ code: "custom", path, message: elsewhere });
    }
    const byPhone = variant.certificateType === "Birth" ? phoneFor(variant) : undefined;
    if (byPhone) context.addIssue({ code: "custom", path: ["adopted"], message: byPhone.advice });
    for (const issue of lackingOf(variant, today)) context.addIssue({ code: "custom", ...issue });
  });

/** What the rules of its type miss, though every answer by itself is good. */
function lackingOf(variant: Variant, today: CalendarDate): { path: string[]; message: string }[] {
  switch (variant.certificateType) {
    case "Birth":
      return lackingOfBirth(variant.certificateDetails, variant.eventDetails.YearRegistered, today);
    case "Marriage":
      return lackingOfMarriage(variant.certificateDetails);
    case "Death":
    case "Adoption":
      return [];
    default:
      return variant satisfies never;
  }
}

/** Details as section 3 has them, with what can be worked out worked out again. */
function certificateDetailsOf(variant: Variant) {
  const NumberOfCopies = variant.fullCertificateQty + variant.shortCertificateQty;
  switch (variant.certificateType) {
    case "Birth":
    case "Marriage":
    case "Adoption":
      return { ...variant.certificateDetails, NumberOfCopies };
    case "Death":
      return { ...joinedDeath(variant.certificateDetails), NumberOfCopies };
    default:
      return variant satisfies never;
  }
}

const joinedDeath = (death: Extract<Variant, { certificateType: "Death" }>["certificateDetails"]) => ({
  ...death,
  DeceasedName: `${death.DeathForename} ${death.DeathSurname}`,
  MotherForename: death.MotherForenames,
  FatherForename: death.FatherForenames,
  MaritalStatus: death.gender === "Female" ? (death.MaritalStatus ?? "") : "",
});

/** A marriage has two people in it and no one gender. */
const genderOf = (variant: Variant): string =>
  variant.certificateType === "Marriage" ? "" : variant.certificateDetails.gender;

function applicationOf(variant: Variant) {
  return {
    certificateType: variant.certificateType,
    customerFirstName: variant.customerFirstName,
    customerLastName: variant.customerLastName,
    gender: genderOf(variant),
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
