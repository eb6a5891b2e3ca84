import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import {
  answerSchema,
  companySchema,
  grantSchema,
  priceListSchema,
  testimonialSchema,
} from "./get-settings.ts";

const change = <Setting extends string, Value extends z.ZodMiniType>(setting: Setting, value: Value) =>
  z.object({
    revision: z.number(),
    at: z.string(),
    by: z.object({ userId: z.string(), name: z.string() }),
    setting: z.literal(setting),
    before: value,
    after: value,
  });

const changeSchema = z.discriminatedUnion("setting", [
  change("prices", z.nullable(priceListSchema)),
  change("company", companySchema),
  change("retention", z.number()),
  z.extend(change("certificateTypes", z.boolean()), { certificateType: z.string() }),
  change("refundLimit", z.number()),
  change("cannedAnswers", z.nullable(answerSchema)),
  change("testimonials", z.array(testimonialSchema)),
  z.extend(change("staff", z.nullable(grantSchema)), { userId: z.string(), name: z.string() }),
]);
/** One change: who, when, and what was before and after it. */
export type SettingsChange = z.infer<typeof changeSchema>;
export type SettingName = SettingsChange["setting"];

const history = z.object({ changes: z.array(changeSchema) });

/** GET /api/admin/settings/history: newest first. @throws ApiError */
export const getSettingsHistory = async (): Promise<readonly SettingsChange[]> =>
  (await requestJson(history, "GET", adminApi.setting("history"))).changes;

export const useSettingsHistory = () => useSWR(adminApi.setting("history"), getSettingsHistory);
