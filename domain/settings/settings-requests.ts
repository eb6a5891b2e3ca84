import { z } from "zod";
import { certificateType } from "../order/vocabulary.ts";
import { cannedAnswer, companyDetails, testimonials } from "./settings-texts.ts";
import { staffRole } from "./vocabulary.ts";

/** What the settings page asks for. Each request says which revision of the settings its sender had seen. */

const seen = { expectedRevision: z.int().min(-1) };

const price = z
  .int("Enter a price in pounds and pence")
  .min(1, "Enter a price in pounds and pence")
  .max(1_000_00, "Enter a price up to £1,000");
const prices = z.object({ standard: price, priority: price });

export const pricesRequest = z.object({
  ...seen,
  /** A day in London. */
  effectiveFrom: z.iso.date("Enter the first day of the new prices"),
  unitPricePence: z.object({ Birth: prices, Death: prices, Marriage: prices, Adoption: prices }),
});
export const withdrawalRequest = z.object({ ...seen, version: z.int().min(1) });
export const companyRequest = z.object({ ...seen, company: companyDetails });
export const retentionRequest = z.object({
  ...seen,
  contactRetentionDays: z.int("Enter a number of days").min(1, "Enter a number of days").max(3650),
});
export const certificateTypeRequest = z.object({ ...seen, certificateType, orderable: z.boolean() });
export const refundLimitRequest = z.object({
  ...seen,
  refundLimitPence: z
    .int("Enter an amount in pounds and pence")
    .min(0, "Enter an amount in pounds and pence")
    .max(10_000_00, "Enter an amount up to £10,000"),
});
/** Without an id it is a new one. */
export const cannedAnswerRequest = z.object({
  ...seen,
  answerId: z.guid().toLowerCase().optional(),
  answer: cannedAnswer,
});
export const cannedAnswerRemoval = z.object({ ...seen, answerId: z.guid().toLowerCase() });
export const testimonialsRequest = z.object({ ...seen, testimonials });

const userId = z
  .string("User id is required")
  .trim()
  .regex(/^[A-Za-z0-9_-]{1,120}$/, "A user id has letters, digits, - and _ only, like user_2abc");
export const grantRequest = z.object({ ...seen, userId, role: staffRole });
export const revocationRequest = z.object({ ...seen, userId });

export type PricesRequest = z.output<typeof pricesRequest>;
export type WithdrawalRequest = z.output<typeof withdrawalRequest>;
export type CompanyRequest = z.output<typeof companyRequest>;
export type RetentionRequest = z.output<typeof retentionRequest>;
export type CertificateTypeRequest = z.output<typeof certificateTypeRequest>;
export type RefundLimitRequest = z.output<typeof refundLimitRequest>;
export type CannedAnswerRequest = z.output<typeof cannedAnswerRequest>;
export type CannedAnswerRemoval = z.output<typeof cannedAnswerRemoval>;
export type TestimonialsRequest = z.output<typeof testimonialsRequest>;
export type GrantRequest = z.output<typeof grantRequest>;
export type RevocationRequest = z.output<typeof revocationRequest>;
