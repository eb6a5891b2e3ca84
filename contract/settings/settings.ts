import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { certificateType } from "../../domain/order/vocabulary.ts";
import { priceList } from "../../domain/pricing/price-list-fields.ts";
import {
  cannedAnswer,
  companyDetails,
  testimonial,
  testimonials,
} from "../../domain/settings/settings-texts.ts";
import { staffRole } from "../../domain/settings/vocabulary.ts";
import { answers, get, type Schema } from "../request.ts";
import { managers, staff } from "../roles.ts";

export const answerShown = cannedAnswer.extend({ answerId: z.string() });

export const grantShown = z.enum([...staffRole.options, "revoked"]);

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

const change = {
  revision: z.int(),
  at: field.instant,
  by: z.object({ userId: z.string(), name: z.string() }),
};

/** Before and after, for each kind of change; null where nothing was set. */
export const settingsHistoryAnswer = z
  .object({
    changes: z.array(
      z.discriminatedUnion("setting", [
        z.object({ ...change, setting: z.literal("prices"), ...both(z.nullable(priceList)) }),
        z.object({ ...change, setting: z.literal("company"), ...both(companyDetails) }),
        z.object({ ...change, setting: z.literal("retention"), ...both(z.int()) }),
        z.object({
          ...change,
          setting: z.literal("certificateTypes"),
          certificateType,
          ...both(z.boolean()),
        }),
        z.object({ ...change, setting: z.literal("refundLimit"), ...both(z.int()) }),
        z.object({ ...change, setting: z.literal("cannedAnswers"), ...both(z.nullable(answerShown)) }),
        z.object({ ...change, setting: z.literal("testimonials"), ...both(testimonials) }),
        z.object({
          ...change,
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
