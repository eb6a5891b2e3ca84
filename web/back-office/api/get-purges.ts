import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const purge = z.object({
  id: z.string(),
  at: z.string(),
  about: z.enum(["order", "ticket"]),
  number: z.nullable(z.string()),
  dataClass: z.enum(["application", "contact"]),
  outcome: z.enum(["purged", "failed"]),
  rule: z.nullable(z.string()),
  destroyed: z.array(z.string()),
  records: z.number(),
  keyFingerprint: z.nullable(z.string()),
  probe: z.nullable(z.string()),
  secondsSinceSubmission: z.nullable(z.number()),
  code: z.nullable(z.string()),
});
/** One purge with its receipt, or one failure of it. */
export type Purge = z.infer<typeof purge>;

const register = z.object({ purges: z.array(purge), next: z.nullable(z.string()) });

/** GET /api/admin/compliance/purges. @throws ApiError */
export const getPurges = (query: string) =>
  requestJson(register, "GET", `${adminApi.compliance("purges")}?${query}`);

/** A page of the register of purges; the one before stays while the next is on its way. */
export const usePurges = (query: string) =>
  useSWR([adminApi.compliance("purges"), query], async () => ({ ...(await getPurges(query)), query }), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
