import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { birth } from "../certificates/birth.ts";
import {
  type Certificate,
  type Field,
  isDate,
  location,
  longestReference,
  reference,
  valueAt,
} from "../certificates/certificate.ts";
import { certificates } from "../certificates/certificates.ts";
import { certificateKeys, derivedFrom } from "../certificates/payload.ts";
import type { CertificateType } from "../order/vocabulary.ts";
import { everyTypeOrderable, type OrderableTypes, whyNotOrderable } from "./options.ts";
import { variantAnswers } from "./order-answers.ts";
import { serviceTypeOf } from "./order-payload.ts";
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

// A certificate's part of the request: section 3's keys, with the form's rules and messages.

/** Recomputed from other answers; sent values are dropped. */
const ignored = z.unknown().optional();

/** The GRO's index reference, or empty; a bare yes or no does not count. */
const gro = z
  .union([
    z.string().trim().max(longestReference, `Use ${longestReference} characters or fewer`),
    z.boolean(),
  ])
  .nullish()
  .transform((answer) => (typeof answer === "string" ? answer : ""));

/** An optional yes or no. */
const booleanOr = (otherwise: boolean) =>
  z
    .boolean()
    .nullish()
    .transform((answer) => answer ?? otherwise);

const ruleOf = ({ rule }: Field, today: CalendarDate): z.ZodType =>
  isDate(rule) ? rule.payload(today) : rule;

function certificateDetails(certificate: Certificate, today: CalendarDate) {
  const fields = Object.values(certificate.fields);
  const rule = (key: string): z.ZodType => {
    const field = fields.find((asked) => asked.part === undefined && asked.key === key);
    return field ? ruleOf(field, today) : ignored;
  };
  const rules: Record<string, z.ZodType> = {};
  for (const key of certificateKeys(certificate)) rules[key] = rule(key);
  // Recomputed from the quantities.
  rules.NumberOfCopies = ignored;
  return z.object(rules);
}

function eventDetails<Type extends CertificateType>(
  type: Type,
  { fields }: Certificate,
  today: CalendarDate,
) {
  const asked = Object.values(fields).filter(({ part }) => part === "eventDetails");
  return z.object({
    EventRegistrationLocation: location.registrationLocation.rule,
    EventType: z.literal(type),
    ...Object.fromEntries(asked.map((field) => [field.key, ruleOf(field, today)])),
    GROReferenceKnown: reference.groReferenceKnown.rule,
  });
}

/** The schemas of a type's own part of a variant. `today` is the day in London. */
function certificateRequest<Type extends CertificateType>(type: Type, today: CalendarDate) {
  const certificate = certificates[type];
  // Only the birth form asks for the applicant.
  const { applyingForOwn, adopted } = type === "Birth" ? birth.fields : {};
  return {
    certificateType: z.literal(type),
    certificateDetails: certificateDetails(certificate, today),
    eventDetails: eventDetails(type, certificate, today),
    gro,
    applyingForOwn: applyingForOwn ? applyingForOwn.rule : booleanOr(false),
    adopted: adopted ? adopted.rule : booleanOr(certificate.adopted),
  };
}

interface ParsedRequest {
  readonly certificateType: CertificateType;
  readonly certificateDetails: Readonly<Record<string, unknown>>;
  readonly eventDetails: Readonly<Record<string, unknown>>;
}

/** Violated rules about several answers, by path and message. */
function brokenRules(request: ParsedRequest, today: CalendarDate) {
  const { fields, rules } = certificates[request.certificateType];
  const answers = formAnswers(fields, request);
  return rules
    .filter(({ isBroken }) => isBroken(answers, today))
    .map(({ path, message }) => ({ path: payloadPath(fields, path), message }));
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The path in section 3's payload for a path in the form. */
function payloadPath(fields: Certificate["fields"], [name, ...rest]: readonly [string, ...string[]]) {
  const field = fields[name];
  return [field?.part ?? "certificateDetails", field?.key ?? name, ...rest.map(capitalised)];
}

/** A request's answers by the form's names. */
function formAnswers(fields: Certificate["fields"], request: ParsedRequest) {
  const answer = ({ rule, key, part }: Field): unknown => {
    const given = valueAt(request, [part ?? "certificateDetails", key]);
    if (!isDate(rule)) return given;
    return Object.fromEntries(
      ["day", "month", "year"].map((name) => [name, valueAt(given, [capitalised(name)])]),
    );
  };
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, answer(field)]));
}
