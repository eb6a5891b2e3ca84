import * as contract from "../../../contract/tickets/ticket.ts";
import type { TicketCommand } from "../../../domain/ticket/commands.ts";
import type { OnBehalf } from "../../command-bus.ts";
import { invalidFields, notFound } from "../../gateway/errors/problem.ts";
import { keyFor, type StaffMember } from "../../gateway/guards/identify.ts";
import { findCaughtUp, type HandlerDependencies } from "../../gateway/parts.ts";
import { type AnswerTo, type StaffCall, staffRoute } from "../../gateway/routing/route.ts";
import { clientCommandId } from "../../orders/command-ids.ts";
import type { Writing } from "../write-in-ticket.ts";
import { presentTicketState } from "./present-ticket.ts";

/** The party on whose behalf a staff call is executed. */
export const workerOf = ({ by, correlationId }: Pick<StaffCall, "by" | "correlationId">): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
});

/** The common part of every action on a ticket. @throws Problem 404 */
export async function ticketWriting(
  dependencies: HandlerDependencies,
  call: StaffCall<{ expectedRevision: number }>,
  action: string,
): Promise<Omit<Writing, "text"> & { readonly seen: number }> {
  const ticketId = await ticketIdOf(dependencies, call);
  return {
    ticketId,
    // Scoped to the person: two people with the same key sent different requests.
    key: keyFor(`ticket-${action} ${ticketId} ${call.by.userId}`, call.idempotencyKey),
    by: workerOf(call),
    seen: call.body.expectedRevision,
  };
}

/** The ticket named in the path. @throws Problem 404 */
export async function ticketIdOf(
  dependencies: HandlerDependencies,
  { request }: Pick<StaffCall, "request">,
): Promise<string> {
  const typed = String(request.params.ticketNumber);
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookUpTicket(typed));
  if (!found) throw notFound();
  return found.ticketId;
}

/** User ids of possible assignees: the caller first, then staff and managers named in the settings. */
export function assignableBy(
  { settings }: Pick<HandlerDependencies, "settings">,
  { userId }: StaffMember,
): readonly string[] {
  const others = [...settings.current().grants]
    .filter(([id, grant]) => id !== userId && (grant === "staff" || grant === "manager"))
    .map(([id]) => id);
  return [userId, ...others];
}

/** Executes one staff command on a ticket, at the revision the caller saw. */
async function change(
  dependencies: HandlerDependencies,
  call: StaffCall<{ readonly expectedRevision: number }>,
  commandOf: (seen: number) => TicketCommand,
): Promise<AnswerTo<(typeof contract.assignTicket)["answers"]>> {
  const { deps } = dependencies;
  const command = commandOf(call.body.expectedRevision);
  const { ticketId, key, by } = await ticketWriting(dependencies, call, command.type);
  const commandId = clientCommandId(deps.deriveId, deps.newId, key);
  const { ticket, position } = await deps.tickets.execute({ ticketId, commandId, by, command });
  return { body: presentTicketState(ticket), position };
}

export const assignTicket = staffRoute(contract.assignTicket, (dependencies) => async (call) => {
  const { assignee } = call.body;
  if (assignee !== null && !assignableBy(dependencies, call.by).includes(assignee)) {
    throw invalidFields({ assignee: "No member of staff with that id handles tickets" });
  }
  return change(dependencies, call, (seen) => ({ type: "AssignTicket", data: { assignee, seen } }));
});

export const changeTicketStatus = staffRoute(contract.changeTicketStatus, (dependencies) => async (call) => {
  const { status } = call.body;
  const data = { status, reason: "staffChoice" as const };
  return change(dependencies, call, (seen) => ({ type: "ChangeTicketStatus", data: { ...data, seen } }));
});

export const linkTicketToOrder = staffRoute(contract.linkTicket, (dependencies) => async (call) => {
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookup(call.body.orderNumber));
  if (!found) throw invalidFields({ orderNumber: "There is no order with this number" });
  const { orderId } = found;
  return change(dependencies, call, (seen) => ({ type: "LinkTicketToOrder", data: { orderId, seen } }));
});

/** The customer receives the new link by email. */
export const replaceLinkAsStaff = staffRoute(
  contract.replaceLinkAsStaff,
  (dependencies) => async (call) =>
    change(dependencies, call, (seen) => ({ type: "ReplaceTicketLink", data: { seen } })),
);

/** For a complaint whose acknowledgement could not be emailed. */
export const acknowledgeTicket = staffRoute(contract.acknowledgeTicket, (dependencies) => async (call) => {
  const { channel } = call.body;
  return change(dependencies, call, (seen) => ({ type: "AcknowledgeTicket", data: { channel, seen } }));
});
