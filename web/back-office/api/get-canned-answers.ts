import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const cannedAnswers = z.object({
  cannedAnswers: z.array(z.object({ answerId: z.string(), title: z.string(), text: z.string() })),
  /** What {{companyName}} stands for. */
  companyName: z.string(),
});

/** GET /api/admin/settings/canned-answers. @throws ApiError */
export const getCannedAnswers = () => requestJson(cannedAnswers, "GET", adminApi.cannedAnswers);

/** The answers that can be put into a reply. */
export const useCannedAnswers = () => useSWR(adminApi.cannedAnswers, getCannedAnswers);
