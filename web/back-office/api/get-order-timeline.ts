import useSWR from "swr";
import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

export const changeSchema = z.object({
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type Change = z.infer<typeof changeSchema>;

const kinds = z.enum(["customer", "money", "gro", "staff", "privacy"]);
export type EventKind = z.infer<typeof kinds>;

export const timelineEntrySchema = z.object({
  revision: z.number(),
  id: z.string(),
  type: z.string(),
  at: z.string(),
  kind: kinds,
  title: z.string(),
  detail: z.nullable(z.string()),
  actor: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  source: z.string(),
  correlationId: z.string(),
  causationId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  changes: z.array(changeSchema),
  /** The event as the log holds it. */
  raw: z.unknown(),
});

/** One event of an order in words. */
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const timelineSchema = z.object({ revision: z.number(), entries: z.array(timelineEntrySchema) });

/** GET /api/admin/orders/{orderNumber}/timeline: every event, in the order of the log. @throws ApiError */
export const getOrderTimeline = (orderNumber: string): Promise<z.infer<typeof timelineSchema>> =>
  requestJson(timelineSchema, "GET", adminApi.orderTimeline(orderNumber));

/** The timeline of an order. */
export const useOrderTimeline = (orderNumber: string) =>
  useSWR(adminApi.orderTimeline(orderNumber), () => getOrderTimeline(orderNumber), {
    revalidateIfStale: true,
  });
