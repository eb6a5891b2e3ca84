import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { clockRules } from "../../domain/ticket/clocks.ts";
import { ticketStatus } from "../../domain/ticket/vocabulary.ts";

export const clockShown = z
  .object({ rule: z.enum(clockRules), dueOn: field.date, metOn: z.nullable(field.date) })
  .register(z.globalRegistry, { id: "StatutoryClock" });

export const state = {
  id: z.string(),
  ticketNumber: field.ticketNumber,
  status: ticketStatus,
  since: field.instant,
  revision: z.int(),
  assignee: z.nullable(z.string()),
  clock: z.nullable(clockShown),
  acknowledgement: z.object({
    by: z.nullable(field.date),
    state: z.enum(["owed", "sent", "undeliverable", "otherwise"]),
    needed: z.boolean(),
  }),
};

/** Answers every action on a ticket. */
export const ticketStateAnswer = z.object(state).register(z.globalRegistry, { id: "TicketState" });
