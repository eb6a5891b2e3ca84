import { z } from "zod";
import { instant } from "../../domain/fields.ts";

/**
 * What travels between us and the automation service, both ways signed as in the Standard Webhooks specification.
 * docs/gro-automation.openapi.json is made of it, for whoever builds such a service: npm run docs:automation writes it anew.
 */

export const submissionPath = "/submissions";
export const inquiryPath = "/inquiries";

const key = z.string().min(1).max(200);

/** POST /submissions, with the key as `Idempotency-Key` too. */
export const submissionMessage = z.strictObject({
  key,
  orderNumber: z.string().min(1).max(40),
  certificateType: z.string().min(1).max(40),
  serviceLevel: z.enum(["standard", "priority"]),
  copies: z.int().min(1),
  application: z.record(z.string(), z.json()),
  contact: z.record(z.string(), z.json()),
});

/** POST /inquiries: what became of a key? */
export const inquiryMessage = z.strictObject({ key });

export const acceptedAnswer = z.object({
  groOrderReference: z.string().min(1).max(100),
  acceptedAt: instant,
});

export const inquiryAnswer = z.discriminatedUnion("state", [
  acceptedAnswer.extend({ state: z.literal("accepted") }),
  z.object({ state: z.literal("unknown") }),
]);

/** Beside a 4xx: the service certainly did not pass it on. */
export const refusalAnswer = z.object({ code: z.enum(["rejected", "invalid", "unauthorized"]) });

/** What the service calls back with. */
export const noticeMessage = z.object({
  noticeId: z.string().min(1).max(200),
  key,
  kind: z.enum(["dispatched", "notFound", "queried"]),
  occurredAt: instant,
});
