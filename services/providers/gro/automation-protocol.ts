import { z } from "zod";
import { groNoticeMessage } from "../../../contract/providers/notices.ts";
import { instant } from "../../../domain/fields.ts";

/**
 * Messages between us and the automation service, signed in both directions as in the Standard Webhooks specification.
 * docs/gro-automation.openapi.json is generated from these schemas: npm run docs:automation.
 */

export const submissionPath = "/submissions";
export const inquiryPath = "/inquiries";
export const statusPath = "/statuses";

const key = z.string().min(1).max(200);

/** POST /submissions, with the key as `Idempotency-Key` too. */
export const submissionMessage = z.strictObject({
  key,
  notAfter: instant.meta({
    description:
      "Refuse the request once your clock is past this, however it was delayed; we make the allowance. Repeats of a key carry the same value, except after a restore on our side: do not compare it.",
  }),
  orderNumber: z.string().min(1).max(40),
  certificateType: z.string().min(1).max(40),
  serviceLevel: z.enum(["standard", "priority"]),
  copies: z.int().min(1),
  application: z.record(z.string(), z.json()),
  contact: z.record(z.string(), z.json()),
});

/** POST /inquiries: asks about a key. The answer `unknown` closes it for good. */
export const inquiryMessage = z.strictObject({ key });

export const acceptedAnswer = z.object({
  groOrderReference: z.string().min(1).max(100),
  acceptedAt: instant,
});

export const inquiryAnswer = z.discriminatedUnion("state", [
  acceptedAnswer.extend({ state: z.literal("accepted") }),
  z.object({ state: z.literal("unknown") }),
]);

const refusalCodes = ["rejected", "invalid", "unauthorized"] as const;

/** With a 4xx: the service certainly did not do it. */
export const refusalAnswer = z.object({ code: z.enum(refusalCodes) });

/**
 * Likewise for submissions. `expired`: past its `notAfter`. `closed`: an inquiry about its key was answered `unknown`.
 */
export const submissionRefusal = z.object({ code: z.enum([...refusalCodes, "expired", "closed"]) });

export const mostStatuses = 100;

/**
 * POST /statuses: status of submissions, by key, or by GRO reference if a person submitted it. Changes nothing, and
 * closes no key.
 */
export const statusMessage = z.strictObject({
  submissions: z
    .array(
      z.union([
        z.strictObject({ key }),
        z.strictObject({ groOrderReference: acceptedAnswer.shape.groOrderReference }),
      ]),
    )
    .min(1)
    .max(mostStatuses),
});

/** In the order of the request. */
export const statusAnswer = z.object({
  submissions: z
    .array(
      z.discriminatedUnion("state", [
        acceptedAnswer.extend({
          state: z.literal("accepted"),
          latest: z
            .object({
              kind: groNoticeMessage.shape.kind,
              occurredAt: instant,
              question: groNoticeMessage.shape.question,
            })
            .nullable()
            .meta({
              description: "The GRO's latest step, as a notice reported or should have; null if none.",
            }),
        }),
        z.object({ state: z.literal("unknown") }),
      ]),
    )
    .max(mostStatuses),
});

/**
 * Example application for the contract, with invented people. `application` holds the order form's answers for the
 * certificate type.
 */
export const exampleSubmission = {
  key: "order-0b5e7c1a-3f0e-4c8e-9d5e-5a1f6d0c2b11-submission-1",
  notAfter: "2026-11-21T10:10:00.000Z",
  orderNumber: "4K7Q-9XWM-2TPA-H",
  certificateType: "Birth",
  serviceLevel: "standard",
  copies: 2,
  application: {
    certificateType: "Birth",
    customerFirstName: "Siân",
    customerLastName: "Rhys",
    gender: "Female",
    eventDetails: {
      EventRegistrationLocation: "Wales",
      EventType: "Birth",
      YearRegistered: 1962,
      GROReferenceKnown: true,
    },
    certificateDetails: {
      BirthCountry: "Wales",
      PlaceOfBirth: "Bangor",
      SurnameAtBirth: "Rhys",
      ForenamesAtBirth: "Siân",
      gender: "Female",
      DateOfBirth: { Day: 3, Month: "March", Year: 1962 },
      FatherSurname: "Rhys",
      FatherForename: "Ifan",
      MotherForename: "Mair",
      MotherMaidenName: "Prys",
      MotherSurname: "Rhys",
      NumberOfCopies: 2,
    },
    gro: "1962, March, Bangor, 8a, 123",
    reference: "",
    priorityDispatch: false,
    fullCertificateQty: 2,
    shortCertificateQty: 0,
    applyingForOwn: true,
    adopted: false,
    serviceType: "Standard",
    deliveryMethod: "Standard",
    apostille: false,
  },
  contact: {
    companyName: "",
    email: "sian.rhys@post.example",
    contactFullName: "Siân Rhys",
    contactAddress: {
      Address1: "1 Invented Street",
      Address2: "",
      Town: "Bangor",
      County: "",
      Country: "United Kingdom",
      PostCode: "LL57 0AA",
    },
    contactPhone: { Daytime: "01632 960001", Evening: "" },
  },
} as const;
