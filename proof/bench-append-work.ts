import { z } from "zod";

/** A worker's instructions: which driver, for how long, with how many concurrent callers. */
export const workOrder = z.object({
  way: z.enum(["batched", "single"]),
  connectionString: z.string(),
  callers: z.int(),
  warmUpMs: z.number(),
  measureMs: z.number(),
  /** Part of its stream names. */
  name: z.string(),
});
export type WorkOrder = z.infer<typeof workOrder>;
export type Way = WorkOrder["way"];

/** Latency of each append acknowledged while measuring. */
export const workReport = z.object({ latenciesMs: z.array(z.number()) });
export type WorkReport = z.infer<typeof workReport>;
