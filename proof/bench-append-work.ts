import { z } from "zod";

/** What a worker is told: which way to append, for how long, with how many callers at once. */
export const workOrder = z.object({
  way: z.enum(["batched", "single"]),
  connectionString: z.string(),
  callers: z.int(),
  warmUpMs: z.number(),
  measureMs: z.number(),
  /** Part of the names of its streams. */
  name: z.string(),
});
export type WorkOrder = z.infer<typeof workOrder>;
export type Way = WorkOrder["way"];

/** How long each append took that was acknowledged while it measured. */
export const workReport = z.object({ latenciesMs: z.array(z.number()) });
export type WorkReport = z.infer<typeof workReport>;
