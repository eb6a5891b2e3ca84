import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { certificateType } from "../../domain/order/vocabulary.ts";
import { priceList } from "../../domain/pricing/price-list-fields.ts";
import {
  cannedAnswer,
  companyDetails,
  enteredCompany,
  testimonial,
  testimonials,
} from "../../domain/settings/settings-texts.ts";
import { staffRole } from "../../domain/settings/vocabulary.ts";
import { answers, get, managers, post, type Schema, staff } from "../request.ts";

export const answerShown = cannedAnswer.extend({ answerId: z.string() });

const grantShown = z.enum([...staffRole.options, "revoked"]);

export const settingsAnswer = z
  .object({
    revision: z.int(),
    today: field.date,
    prices: z.array(priceList.extend({ state: z.enum(["inForce", "scheduled", "past"]) })),
    leastPricePence: z.object({ standard: z.int(), priority: z.int() }),
    company: companyDetails,
    orderableTypes: z.array(certificateType),
    contactRetentionDays: z.int(),
    retentionBounds: z.object({ leastDays: z.int(), mostDays: z.int() }),
    refundLimitPence: z.int(),
    cannedAnswers: z.array(answerShown),
    testimonials: z.array(testimonial),
    staff: z.array(z.object({ userId: z.string(), name: z.string(), grant: grantShown })),
    adminUsernames: z.array(z.string()),
  })
  .register(z.globalRegistry, { id: "Settings", description: "Money in pence" });

export const cannedAnswersAnswer = z
  .object({ cannedAnswers: z.array(answerShown), companyName: z.string() })
  .register(z.globalRegistry, { id: "CannedAnswers" });

const both = <Value extends Schema>(value: Value) => ({ before: value, after: value });

const recorded = {
  revision: z.int(),
  at: field.instant,
  by: z.object({ userId: z.string(), name: z.string() }),
};

/** Before and after, for each kind of change; null where nothing was set. */
export const settingsHistoryAnswer = z
  .object({
    changes: z.array(
      z.discriminatedUnion("setting", [
        z.object({ ...recorded, setting: z.literal("prices"), ...both(z.nullable(priceList)) }),
        z.object({ ...recorded, setting: z.literal("company"), ...both(companyDetails) }),
        z.object({ ...recorded, setting: z.literal("retention"), ...both(z.int()) }),
        z.object({
          ...recorded,
          setting: z.literal("certificateTypes"),
          certificateType,
          ...both(z.boolean()),
        }),
        z.object({ ...recorded, setting: z.literal("refundLimit"), ...both(z.int()) }),
        z.object({ ...recorded, setting: z.literal("cannedAnswers"), ...both(z.nullable(answerShown)) }),
        z.object({ ...recorded, setting: z.literal("testimonials"), ...both(testimonials) }),
        z.object({
          ...recorded,
          setting: z.literal("staff"),
          userId: z.string(),
          name: z.string(),
          ...both(z.nullable(grantShown)),
        }),
      ]),
    ),
  })
  .register(z.globalRegistry, { id: "SettingsHistory", description: "Newest first. Money in pence" });

export const showSettings = get("/api/admin/settings", {
  summary: "Every setting",
  from: managers,
  limit: "reads",
  answers: answers(settingsAnswer),
});

export const showSettingsHistory = get("/api/admin/settings/history", {
  summary: "Every change to the settings",
  from: managers,
  limit: "reads",
  answers: answers(settingsHistoryAnswer),
});

export const showCannedAnswers = get("/api/admin/settings/canned-answers", {
  summary: "The canned answers",
  from: staff,
  limit: "reads",
  answers: answers(cannedAnswersAnswer),
});

export type Settings = z.output<typeof settingsAnswer>;
/** Who, when, and what was before and after. */
export type SettingsChange = z.output<typeof settingsHistoryAnswer>["changes"][number];
export type SettingName = SettingsChange["setting"];

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
