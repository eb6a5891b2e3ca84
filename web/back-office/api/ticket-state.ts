import * as z from "zod/mini";

export const ticketStatus = z.enum(["Open", "Waiting", "Closed"]);
export type TicketStatus = z.infer<typeof ticketStatus>;

/** A day by which the law wants something. */
export const ticketClock = z.object({
  rule: z.enum(["acknowledgement", "dataRequest", "refund"]),
  dueOn: z.string(),
  /** Null while it runs. */
  metOn: z.nullable(z.string()),
});

/** Where a ticket stands after an action: nothing that was written. */
export const ticketState = z.object({
  id: z.string(),
  ticketNumber: z.string(),
  status: ticketStatus,
  since: z.string(),
  /** Sent along with the next action, which is refused if somebody changed the ticket after it. */
  revision: z.number(),
  assignee: z.nullable(z.string()),
  clock: z.nullable(ticketClock),
  acknowledgement: z.object({
    by: z.nullable(z.string()),
    state: z.enum(["owed", "sent", "undeliverable", "otherwise"]),
    /** The mail that acknowledges it came back: somebody must do it by other means. */
    needed: z.boolean(),
  }),
});
export type TicketState = z.infer<typeof ticketState>;
