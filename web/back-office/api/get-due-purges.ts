import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const duePurge = z.object({
  name: z.string(),
  number: z.nullable(z.string()),
  kind: z.string(),
  dueAt: z.string(),
  tries: z.number(),
});
/** A destruction that is owed. */
export type DuePurge = z.infer<typeof duePurge>;

const answer = z.object({ due: z.array(duePurge) });

/** GET /api/admin/compliance/due. @throws ApiError */
export const getDuePurges = async (): Promise<readonly DuePurge[]> =>
  (await requestJson(answer, "GET", adminApi.compliance("due"))).due;

/** What is to be destroyed, what has been due longest first. */
export const useDuePurges = () =>
  useSWR(adminApi.compliance("due"), getDuePurges, { revalidateIfStale: true });
