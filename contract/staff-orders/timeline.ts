import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { wholeNumber } from "../../domain/forms/answers.ts";
import { phases } from "../../domain/order/phases.ts";
import { answers, get } from "../request.ts";
import { everyRole } from "../roles.ts";

/** One line of an order's state. `name` is stable, which makes two states comparable line by line. */
export const factShown = z.object({ name: z.string(), label: z.string(), value: z.string() });

/** A line that differs from the previous state; null on the side that lacks it. */
export const changeShown = z.object({
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});

/** Who acted: each has a colour, an icon and a name on the timeline. */
export const eventKinds = ["customer", "money", "gro", "staff", "privacy"] as const;

export type EventKind = (typeof eventKinds)[number];

export const entryShown = z.object({
  revision: z.int(),
  id: z.string(),
  type: z.string(),
  at: field.instant,
  kind: z.enum(eventKinds),
  title: z.string(),
  detail: z.nullable(z.string()),
  actor: z.object({
    kind: z.enum(["customer", "staff", "system", "provider"]),
    id: z.string(),
    name: z.string(),
  }),
  source: z.enum(["browser", "back office", "by itself", "notice"]),
  correlationId: z.string(),
  causationId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  changes: z.array(changeShown),
  raw: z.object({
    id: z.string(),
    stream: z.string(),
    revision: z.int(),
    position: z.string(),
    type: z.string(),
    recordedAt: field.instant,
    data: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  }),
});

/** Timeline entries, oldest first. */
export const entriesShown = z.array(entryShown.register(z.globalRegistry, { id: "TimelineEntry" }));

export const timelineAnswer = z
  .object({ revision: z.int(), entries: entriesShown })
  .register(z.globalRegistry, { id: "Timeline" });

export const stateAtAnswer = z
  .object({
    revision: z.int(),
    at: field.instant,
    phase: z.enum(phases),
    facts: z.array(factShown),
    changes: z.array(changeShown),
  })
  .register(z.globalRegistry, { id: "OrderAtAnEvent" });

export const showTimeline = get("/api/admin/orders/{orderNumber}/timeline", {
  summary: "The timeline of an order, or the order after one of its events",
  from: everyRole,
  limit: "reads",
  query: z.object({
    /** An event's revision: answers the order as it was right after that event. */
    at: z.optional(wholeNumber({ least: 0, most: 1_000_000 }, "Use the revision of an event")),
  }),
  answers: answers(z.union([timelineAnswer, stateAtAnswer])),
  refuses: ["not-found"],
});

export type Fact = z.output<typeof factShown>;
export type Change = z.output<typeof changeShown>;
export type TimelineEntry = z.output<typeof entryShown>;
export type Timeline = z.output<typeof timelineAnswer>;
export type OrderState = z.output<typeof stateAtAnswer>;
