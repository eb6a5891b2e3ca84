import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const run = z.object({
  id: z.string(),
  kind: z.enum(["whole", "following"]),
  startedAt: z.string(),
  finishedAt: z.string(),
  events: z.number(),
  streams: z.number(),
  checkpoints: z.number(),
  problem: z.nullable(
    z.object({
      kind: z.string(),
      stream: z.nullable(z.string()),
      revision: z.nullable(z.number()),
      words: z.string(),
    }),
  ),
});
/** One reading of the whole log, or one fault that was met while following it. */
export type AuditRun = z.infer<typeof run>;

/** How the audit of the log stands. */
export const audit = z.object({
  state: z.enum(["following", "standby", "stopped"]),
  reason: z.nullable(z.string()),
  events: z.number(),
  /** Events read so far by an audit that is under way. */
  running: z.nullable(z.number()),
  lastCheckpoint: z.nullable(
    z.object({
      at: z.string(),
      count: z.number(),
      rollingHash: z.string(),
      position: z.string(),
      baseline: z.boolean(),
      signature: z.string(),
    }),
  ),
  publicKeyPem: z.string(),
  runs: z.array(run),
});
export type Audit = z.infer<typeof audit>;

/** GET /api/admin/compliance/audit. @throws ApiError */
export const getAudit = (): Promise<Audit> => requestJson(audit, "GET", adminApi.compliance("audit"));

/** How the audit stands; asked for again every second while one is under way. */
export const useAudit = () =>
  useSWR(adminApi.compliance("audit"), getAudit, {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.running === null || latest === undefined ? 0 : 1_000),
  });
