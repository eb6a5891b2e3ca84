import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { workQueues } from "../../domain/order/staff/work-queues.ts";
import { answers, events, everyRole, get, staff } from "../request.ts";

/** The subjects that live updates name. */
const topic = z.enum(["orders", "tickets", "drafts", "settings", "health"]);

export type Topic = z.output<typeof topic>;

/** One change: the id of an order, ticket or saved draft, a word for anything else; null when there are too many to name. */
export const staffUpdate = z
  .object({ topic, key: z.nullable(z.string()) })
  .register(z.globalRegistry, { id: "StaffUpdate" });

const seconds = z.nullable(z.number());

export const figuresShown = z.object({
  created: field.count,
  paid: field.count,
  /** Orders that were paid for together have one. */
  payments: field.count,
  submitted: field.count,
  revenuePence: z.int(),
  groFeesPence: z.int(),
  refunds: field.count,
  refundedPence: z.int(),
  /** Lost in disputes, by the day they were opened. */
  lostPence: z.int(),
  medianSecondsToSubmission: seconds,
  medianSecondsToPurge: seconds,
  longestSecondsToPurge: seconds,
});

export const dashboardAnswer = z
  .object({
    asOf: field.instant,
    queues: z.array(z.object({ queue: z.enum(workQueues), count: field.count, more: z.boolean() })),
    tickets: z.object({
      open: field.count,
      mine: field.count,
      unassigned: field.count,
      waiting: field.count,
      due: field.count,
      late: field.count,
      unreached: field.count,
    }),
    readModels: z.array(
      z.object({
        name: z.string(),
        state: z.enum(["ready", "catching-up", "stopped"]),
        behindSeconds: z.number(),
        reason: z.nullable(z.string()),
      }),
    ),
    parkedRecords: field.count,
    days: z.array(z.extend(figuresShown, { date: field.date })),
    all: figuresShown,
  })
  .register(z.globalRegistry, {
    id: "Dashboard",
    description: "Money in pence. Where `more` is true, the count is a lower bound",
  });

export const showDashboard = get("/api/admin/dashboard", {
  summary: "What needs attention, performance and system status",
  from: staff,
  limit: "reads",
  query: z.object({
    days: z.pipe(z._default(z.enum(["30", "90", "365"], "Use 30, 90 or 365"), "30"), z.transform(Number)),
  }),
  answers: answers(dashboardAnswer),
});

export const followUpdates = get("/api/admin/updates", {
  summary: "Live updates of the back office",
  from: everyRole,
  limit: "reads",
  answers: events(staffUpdate, "An event named `changed` that names what changed, without its content"),
  refuses: ["busy"],
});

export type Dashboard = z.output<typeof dashboardAnswer>;
export type Figures = z.output<typeof figuresShown>;
export type DayFigures = Dashboard["days"][number];
export type ReadModel = Dashboard["readModels"][number];
