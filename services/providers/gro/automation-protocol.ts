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
          latest: z.object({ kind: groNoticeMessage.shape.kind, occurredAt: instant }).nullable().meta({
            description: "The GRO's latest step, as a notice reported or should have; null if none.",
          }),
        }),
        z.object({ state: z.literal("unknown") }),
      ]),
    )
    .max(mostStatuses),
});
