import * as z from "zod/mini";
import { certificateType } from "../../domain/order/vocabulary.ts";
import { cannedAnswer, enteredCompany, testimonials } from "../../domain/settings/settings-texts.ts";
import { staffRole } from "../../domain/settings/vocabulary.ts";
import { answers, post, type Schema } from "../request.ts";
import { managers } from "../roles.ts";
import { settingsAnswer } from "./settings.ts";

/** A change is refused if the settings have changed since the revision its sender saw. */
const seen = { expectedRevision: z.int().check(z.minimum(-1)) };

const change = <const Path extends string, Body extends Schema>(path: Path, summary: string, body: Body) =>
  post(`/api/admin/settings/${path}`, {
    summary,
    from: managers,
    limit: "commands",
    body,
    answers: answers(settingsAnswer),
    refuses: ["changed-meanwhile", "setting-refused", "idempotency-key-reused"],
  });

const price = z
  .int("Enter a price in pounds and pence")
  .check(
    z.minimum(1, "Enter a price in pounds and pence"),
    z.maximum(1_000_00, "Enter a price up to £1,000"),
  );
const prices = z.object({ standard: price, priority: price });

const userId = z
  .string("User id is required")
  .check(
    z.trim(),
    z.regex(/^[A-Za-z0-9_-]{1,120}$/, "A user id has letters, digits, - and _ only, like user_2abc"),
  );
const answerId = z.guid().check(z.toLowerCase());

export const schedulePrices = change(
  "prices",
  "Schedule a price list",
  z.object({
    ...seen,
    /** A day in London. */
    effectiveFrom: z.iso.date("Enter the first day of the new prices"),
    unitPricePence: z.object({ Birth: prices, Death: prices, Marriage: prices, Adoption: prices }),
  }),
);

export const withdrawPrices = change(
  "prices/withdraw",
  "Withdraw a scheduled price list",
  z.object({ ...seen, version: z.int().check(z.minimum(1)) }),
);

export const changeCompany = change(
  "company",
  "Change the company details",
  z.object({ ...seen, company: enteredCompany }),
);

export const changeRetention = change(
  "retention",
  "Change how long contact data is kept",
  z.object({
    ...seen,
    contactRetentionDays: z
      .int("Enter a number of days")
      .check(z.minimum(1, "Enter a number of days"), z.maximum(3650)),
  }),
);

export const switchCertificateType = change(
  "certificate-types",
  "Switch a certificate on or off",
  z.object({ ...seen, certificateType, orderable: z.boolean() }),
);

export const changeRefundLimit = change(
  "refund-limit",
  "Change the refund limit of one person",
  z.object({
    ...seen,
    refundLimitPence: z
      .int("Enter an amount in pounds and pence")
      .check(
        z.minimum(0, "Enter an amount in pounds and pence"),
        z.maximum(10_000_00, "Enter an amount up to £10,000"),
      ),
  }),
);

/** Without an id, creates one. */
export const writeCannedAnswer = change(
  "canned-answers",
  "Write a canned answer",
  z.object({ ...seen, answerId: z.optional(answerId), answer: cannedAnswer }),
);

export const removeCannedAnswer = change(
  "canned-answers/remove",
  "Remove a canned answer",
  z.object({ ...seen, answerId }),
);

export const changeTestimonials = change(
  "testimonials",
  "Change the testimonials",
  z.object({ ...seen, testimonials }),
);

export const grantRequest = z.object({ ...seen, userId, role: staffRole });

export const grantRole = change("staff/grant", "Grant a role", grantRequest);

export const revokeRole = change("staff/revoke", "Revoke a role", z.object({ ...seen, userId }));

export const settingChanges = [
  schedulePrices,
  withdrawPrices,
  changeCompany,
  changeRetention,
  switchCertificateType,
  changeRefundLimit,
  writeCannedAnswer,
  removeCannedAnswer,
  changeTestimonials,
  grantRole,
  revokeRole,
] as const;
