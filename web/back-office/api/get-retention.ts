import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const line = z.object({
  subject: z.enum(["order", "ticket"]),
  rule: z.string(),
  dataClass: z.enum(["application", "contact"]),
  trigger: z.string(),
  afterSeconds: z.number(),
  decidedBy: z.string(),
  doneBy: z.string(),
});
/** One line of the retention schedule. */
export type RetentionLine = z.infer<typeof line>;

const schedule = z.object({ lines: z.array(line) });

/** GET /api/admin/compliance/retention. @throws ApiError */
export const useRetention = () =>
  useSWR(
    adminApi.compliance("retention"),
    async (): Promise<readonly RetentionLine[]> =>
      (await requestJson(schedule, "GET", adminApi.compliance("retention"))).lines,
  );
