import useSWR from "swr";
import * as z from "zod/mini";
import { workQueues } from "../../../domain/order/staff/work-queues.ts";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const seconds = z.nullable(z.number());
const figures = {
  created: z.number(),
  paid: z.number(),
  submitted: z.number(),
  revenuePence: z.number(),
  groFeesPence: z.number(),
  refunds: z.number(),
  refundedPence: z.number(),
  medianSecondsToSubmission: seconds,
  medianSecondsToPurge: seconds,
  longestSecondsToPurge: seconds,
};
const figuresSchema = z.object(figures);
export type Figures = z.infer<typeof figuresSchema>;

const daySchema = z.object({ date: z.string(), ...figures });
export type DayFigures = z.infer<typeof daySchema>;

const readModelSchema = z.object({
  name: z.string(),
  state: z.enum(["ready", "catching-up", "stopped"]),
  behindSeconds: z.number(),
  reason: z.nullable(z.string()),
});
export type ReadModel = z.infer<typeof readModelSchema>;

const ticketCounts = z.object({
  open: z.number(),
  mine: z.number(),
  nobodys: z.number(),
  waiting: z.number(),
  due: z.number(),
  late: z.number(),
  unreached: z.number(),
});

const dashboardSchema = z.object({
  asOf: z.string(),
  /** `more`: there are more than counted. */
  queues: z.array(z.object({ queue: z.enum(workQueues), count: z.number(), more: z.boolean() })),
  tickets: ticketCounts,
  readModels: z.array(readModelSchema),
  /** Orders and tickets that wait until they are put right. */
  parkedRecords: z.number(),
  days: z.array(daySchema),
  all: figuresSchema,
});
export type Dashboard = z.infer<typeof dashboardSchema>;

/** What waits, how things go, and whether everything runs; the figures of so many days. Null asks for nothing. */
export const useDashboard = (days: number | null) =>
  useSWR(
    days === null ? null : [adminApi.dashboard, days],
    () => requestJson(dashboardSchema, "GET", `${adminApi.dashboard}?days=${days}`),
    { revalidateIfStale: true, keepPreviousData: true },
  );
