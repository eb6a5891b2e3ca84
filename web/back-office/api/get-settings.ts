import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const servicePrices = z.object({ standard: z.number(), priority: z.number() });

export const priceListSchema = z.object({
  version: z.number(),
  effectiveFrom: z.string(),
  unitPricePence: z.object({
    Birth: servicePrices,
    Death: servicePrices,
    Marriage: servicePrices,
    Adoption: servicePrices,
  }),
});

export const companySchema = z.object({
  tradingName: z.string(),
  supportEmail: z.string(),
  postalAddress: z.string(),
  companyNumber: z.string(),
});

export const answerSchema = z.object({ answerId: z.string(), title: z.string(), text: z.string() });

export const testimonialSchema = z.object({
  quote: z.string(),
  name: z.string(),
  source: z.string(),
  url: z.optional(z.string()),
});

export const grantSchema = z.enum(["staff", "manager", "compliance", "revoked"]);

/** Every setting, as a manager sees them. Money in pence. */
export const settingsSchema = z.object({
  /** Sent along with a change, which is refused if somebody made another after it. */
  revision: z.number(),
  /** Today in London. */
  today: z.string(),
  prices: z.array(z.extend(priceListSchema, { state: z.enum(["past", "inForce", "scheduled"]) })),
  leastPricePence: servicePrices,
  company: companySchema,
  orderableTypes: z.array(z.string()),
  contactRetentionDays: z.number(),
  retentionBounds: z.object({ leastDays: z.number(), mostDays: z.number() }),
  refundLimitPence: z.number(),
  cannedAnswers: z.array(answerSchema),
  testimonials: z.array(testimonialSchema),
  staff: z.array(z.object({ userId: z.string(), name: z.string(), grant: grantSchema })),
  /** Names that the environment makes managers. */
  adminUsernames: z.array(z.string()),
});
export type Settings = z.infer<typeof settingsSchema>;

/** GET /api/admin/settings. @throws ApiError */
export const useSettings = () =>
  useSWR(adminApi.settings, () => requestJson(settingsSchema, "GET", adminApi.settings));
