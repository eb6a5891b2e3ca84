import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const record = z.object({
  controller: z.object({ tradingName: z.string(), supportEmail: z.string() }),
  transfers: z.string(),
  security: z.array(z.string()),
  activities: z.array(
    z.object({
      name: z.string(),
      purpose: z.string(),
      lawfulBasis: z.string(),
      people: z.string(),
      data: z.array(z.string()),
      recipients: z.array(z.string()),
      endedBy: z.array(z.string()),
    }),
  ),
});
/** The record of processing activities. */
export type ProcessingRecord = z.infer<typeof record>;

/** GET /api/admin/compliance/processing. @throws ApiError */
export const useProcessing = () =>
  useSWR(adminApi.compliance("processing"), () =>
    requestJson(record, "GET", adminApi.compliance("processing")),
  );
