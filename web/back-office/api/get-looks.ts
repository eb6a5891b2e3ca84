import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const look = z.object({
  id: z.string(),
  at: z.string(),
  staffId: z.string(),
  staffName: z.string(),
  about: z.enum(["order", "ticket"]),
  number: z.nullable(z.string()),
  dataClass: z.enum(["application", "contact"]),
  reason: z.string(),
});
/** Somebody who works here looked at personal data. */
export type Look = z.infer<typeof look>;

const log = z.object({ looks: z.array(look), next: z.nullable(z.string()) });

/** GET /api/admin/compliance/access. @throws ApiError */
export const getLooks = (query: string) =>
  requestJson(log, "GET", `${adminApi.compliance("access")}?${query}`);

/** A page of the access log; the one before stays while the next is on its way. */
export const useLooks = (query: string) =>
  useSWR([adminApi.compliance("access"), query], async () => ({ ...(await getLooks(query)), query }), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
