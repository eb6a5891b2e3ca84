import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const parkedRecord = z.object({
  about: z.nullable(z.enum(["order", "ticket"])),
  number: z.nullable(z.string()),
  stream: z.string(),
  follower: z.string(),
  reason: z.string(),
  revision: z.number(),
  since: z.string(),
  tries: z.number(),
  triedAt: z.nullable(z.string()),
  isAsked: z.boolean(),
  tasksDue: z.number(),
});
/** An order or ticket that waits until it is put right. */
export type ParkedRecord = z.infer<typeof parkedRecord>;

const answer = z.object({ parked: z.array(parkedRecord) });

/** GET /api/admin/compliance/parked. @throws ApiError */
export const getParked = async (): Promise<readonly ParkedRecord[]> =>
  (await requestJson(answer, "GET", adminApi.compliance("parked"))).parked;

/** POST /api/admin/compliance/parked/retry: has all of them tried again. @throws ApiError */
export const retryParked = async (): Promise<readonly ParkedRecord[]> =>
  (await requestJson(answer, "POST", adminApi.compliance("parked/retry"), {})).parked;

/** What is parked, the longest first; asked for again every second while something is about to be tried. */
export const useParked = () =>
  useSWR(adminApi.compliance("parked"), getParked, {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.some(({ isAsked }) => isAsked) ? 1_000 : 0),
  });
