import * as acts from "../../../contract/tickets/acts.ts";
import type { TicketCommand } from "../../../domain/ticket/commands.ts";
import { invalidFields } from "../../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../../gateway/parts.ts";
import { findCaughtUp } from "../../gateway/routing/read-after.ts";
import type { AnswerTo, StaffCall } from "../../gateway/routing/route.ts";
import { staffRoute } from "../../gateway/routing/route.ts";
import { clientCommandId } from "../../orders/command-ids.ts";
import { presentTicketState } from "./present-ticket.ts";
import { assignableBy, ticketWriting } from "./ticket-writing.ts";

/** Executes one staff command on a ticket, at the revision the caller saw. */
async function change(
  dependencies: HandlerDependencies,
  call: StaffCall<{ readonly expectedRevision: number }>,
  commandOf: (seen: number) => TicketCommand,
): Promise<AnswerTo<(typeof acts.assignTicket)["answers"]>> {
  const { deps } = dependencies;
  const command = commandOf(call.body.expectedRevision);
  const { ticketId, key, by } = await ticketWriting(dependencies, call, command.type);
  const commandId = clientCommandId(deps.deriveId, deps.newId, key);
  const { ticket, position } = await deps.tickets.execute({ ticketId, commandId, by, command });
  return { body: presentTicketState(ticket), position };
}

export const assignTicket = staffRoute(acts.assignTicket, (dependencies) => async (call) => {
  const { assignee } = call.body;
  if (assignee !== null && !assignableBy(dependencies, call.by).includes(assignee)) {
    throw invalidFields({ assignee: "No member of staff with that id handles tickets" });
  }
  return change(dependencies, call, (seen) => ({ type: "AssignTicket", data: { assignee, seen } }));
});

export const changeTicketStatus = staffRoute(acts.changeTicketStatus, (dependencies) => async (call) => {
  const { status } = call.body;
  const data = { status, reason: "staffChoice" as const };
  return change(dependencies, call, (seen) => ({ type: "ChangeTicketStatus", data: { ...data, seen } }));
});

export const linkTicketToOrder = staffRoute(acts.linkTicket, (dependencies) => async (call) => {
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookup(call.body.orderNumber));
  if (!found) throw invalidFields({ orderNumber: "There is no order with this number" });
  const { orderId } = found;
  return change(dependencies, call, (seen) => ({ type: "LinkTicketToOrder", data: { orderId, seen } }));
});

/** The customer receives the new link by email. */
export const replaceLinkAsStaff = staffRoute(
  acts.replaceLinkAsStaff,
  (dependencies) => async (call) =>
    change(dependencies, call, (seen) => ({ type: "ReplaceTicketLink", data: { seen } })),
);

/** For a complaint whose acknowledgement could not be emailed. */
export const acknowledgeTicket = staffRoute(acts.acknowledgeTicket, (dependencies) => async (call) => {
  const { channel } = call.body;
  return change(dependencies, call, (seen) => ({ type: "AcknowledgeTicket", data: { channel, seen } }));
});
