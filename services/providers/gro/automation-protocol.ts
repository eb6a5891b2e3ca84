import { z } from "zod";
import { instant } from "../../../domain/fields.ts";

/**
 * What travels between us and the automation service, both ways signed as in the Standard Webhooks specification.
 * docs/gro-automation.openapi.json is made of it, for whoever builds such a service: npm run docs:automation writes it anew.
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
      "Refuse the request once your clock is past this, however it was delayed; without an allowance, which is ours to make. It is the same each time a key is sent, but for a restored database of ours: do not compare it.",
  }),
  orderNumber: z.string().min(1).max(40),
  certificateType: z.string().min(1).max(40),
  serviceLevel: z.enum(["standard", "priority"]),
  copies: z.int().min(1),
  application: z.record(z.string(), z.json()),
  contact: z.record(z.string(), z.json()),
});

/** POST /inquiries: what became of a key? The answer `unknown` closes it for good. */
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

/** Beside a 4xx: the service certainly did not do it. */
export const refusalAnswer = z.object({ code: z.enum(refusalCodes) });

/** The same of a submission. `expired`: past its `notAfter`. `closed`: an inquiry about its key was answered `unknown`. */
export const submissionRefusal = z.object({ code: z.enum([...refusalCodes, "expired", "closed"]) });

const noticeKind = z.enum(["dispatched", "notFound", "queried"]);

/** What the service calls back with. */
export const noticeMessage = z.object({
  noticeId: z.string().min(1).max(200),
  key,
  kind: noticeKind,
  occurredAt: instant,
});

/** So many submissions may be asked about at once. */
export const mostStatuses = 100;

/** POST /statuses: how do these submissions stand? Changes nothing, and closes no key. By key; by the GRO's reference where a person submitted it. */
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

/** In the order of the question. */
export const statusAnswer = z.object({
  submissions: z
    .array(
      z.discriminatedUnion("state", [
        acceptedAnswer.extend({
          state: z.literal("accepted"),
          latest: z.object({ kind: noticeKind, occurredAt: instant }).nullable().meta({
            description:
              "What the GRO did with it last, as a notice told or should have; null while nothing.",
          }),
        }),
        z.object({ state: z.literal("unknown") }),
      ]),
    )
    .max(mostStatuses),
});
