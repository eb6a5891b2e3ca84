import type { Presented, Read } from "../../../contract/request.ts";
import { placeText } from "../../../contract/shapes.ts";
import type { ticketListAnswer } from "../../../contract/tickets/ticket.ts";
import * as contract from "../../../contract/tickets/ticket.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";
import type { TicketCommand } from "../../../domain/ticket/commands.ts";
import type {
  TicketCounts,
  TicketListCursor,
  TicketListPage,
  TicketListRequest,
} from "../../../projections/tickets/ticket-list-queries.ts";
import type { OnBehalf } from "../../command-bus.ts";
import { invalidFields, notFound } from "../../gateway/errors/problem.ts";
import { keyFor, type StaffMember } from "../../gateway/guards/identify.ts";
import { findCaughtUp, type HandlerDependencies } from "../../gateway/parts.ts";
import { type AnswerTo, type StaffCall, staffRoute } from "../../gateway/route.ts";
import { clientCommandId } from "../../orders/command-ids.ts";
import { attachedFile } from "../attached-files.ts";
import { lookIntoTicket, openAttachment, openOriginal, recordLook, type WholeTicket } from "../tickets.ts";
import { noteOnTicket, replyToTicket, type Writing } from "../write-in-ticket.ts";
import {
  type NameOf,
  presentPeople,
  presentTicketState,
  presentWholeTicket,
  staffIn,
  type TicketPage,
} from "./present-ticket.ts";

export const listTickets = staffRoute(
  contract.listTickets,
  ({ queries, deps, directory }) =>
    async ({ body, by }) => {
      const today = londonDate(deps.now().toISOString());
      const wanted = inboxRequest(body, by.userId);
      const [page, counts] = await Promise.all([
        queries.listTickets(wanted),
        queries.countTickets(by.userId, today),
      ]);
      const nameOf = await directory.namesOf(assigneesIn(page.tickets));
      return { body: presentTicketList(page, counts, { nameOf, today }) };
    },
);

/** Records the access in the log. */
export const openTicketForStaff = staffRoute(contract.openTicketAsStaff, (dependencies) => async (call) => {
  const { deps } = dependencies;
  const whole = await lookIntoTicket(deps, await ticketIdOf(dependencies, call), "ticket", workerOf(call));
  const page = await ticketPage(dependencies, whole, call.by);
  return { body: presentWholeTicket(page), position: whole.position };
});

/** Records the access, as opening the conversation does. */
export const downloadAttachmentAsStaff = staffRoute(
  contract.downloadAttachmentAsStaff,
  (dependencies) => async (call) => {
    const { deps } = dependencies;
    const { messageId, place } = call.request.params;
    const named = { messageId: String(messageId), place: Number(place) };
    const ticketId = await ticketIdOf(dependencies, call);
    const { messages } = (await deps.tickets.load(ticketId)).ticket;
    if (!messages.find((message) => message.messageId === messageId)?.attachments[named.place])
      throw notFound();
    const { ticket } = await recordLook(deps, ticketId, "ticket", workerOf(call));
    return { file: attachedFile(await openAttachment(deps.vault, ticket.messages, named)) };
  },
);

/** Records the access and its reason, each time. */
export const openOriginalAsStaff = staffRoute(contract.openOriginal, (dependencies) => async (call) => {
  const { messageId } = call.request.params;
  const wanted = { messageId: String(messageId), reason: call.body.reason };
  const ticketId = await ticketIdOf(dependencies, call);
  const { ticket } = await dependencies.deps.tickets.load(ticketId);
  if (!ticket.messages.some(({ messageId, mail }) => messageId === wanted.messageId && mail))
    throw notFound();
  const bytes = await openOriginal(dependencies.deps, ticketId, wanted, workerOf(call));
  if (!bytes) throw notFound();
  const name = `${ticket.ticketNumber}.eml`;
  return { file: { name, type: "message/rfc822", bytes: Buffer.from(bytes) } };
});

/** The data of a ticket's page apart from its texts. */
async function ticketPage(
  { deps, queries, directory, settings, finder, scanner }: HandlerDependencies,
  whole: WholeTicket,
  by: StaffMember,
): Promise<TicketPage> {
  const { ticketId, linkedOrder } = whole.ticket;
  const [history, order, customers] = await Promise.all([
    deps.tickets.history(ticketId),
    linkedOrder && queries.getOrder(linkedOrder.orderId),
    finder.customersOf([ticketId]),
  ]);
  const assignable = assignableBy({ settings }, by);
  const nameOf = await directory.namesOf([...staffIn(history), ...assignable]);
  const today = londonDate(deps.now().toISOString());
  const customerId = customers.get(ticketId) ?? null;
  const filesAreScanned = scanner !== undefined;
  return { whole, history, order: order ?? null, customerId, filesAreScanned, assignable, nameOf, today };
}

/** The customer receives an email and reads the reply behind their link. */
export const replyAsStaff = staffRoute(contract.replyToCustomer, (dependencies) => async (call) => {
  const { message, next } = call.body;
  const writing = await ticketWriting(dependencies, call, "reply");
  const { ticket, position } = await replyToTicket(dependencies.deps, { ...writing, text: message, next });
  return { body: presentTicketState(ticket), position };
});

/** Never shown to customers. */
export const noteAsStaff = staffRoute(contract.noteOnTicket, (dependencies) => async (call) => {
  const writing = await ticketWriting(dependencies, call, "note");
  const { ticket, position } = await noteOnTicket(dependencies.deps, { ...writing, text: call.body.note });
  return { body: presentTicketState(ticket), position };
});

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

export const categoriseTicket = staffRoute(contract.categoriseTicket, (dependencies) => async (call) => {
  const { category } = call.body;
  return change(dependencies, call, (seen) => ({ type: "CategoriseTicket", data: { category, seen } }));
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

/** The party on whose behalf a staff call is executed. */
export const workerOf = ({ by, correlationId }: Pick<StaffCall, "by" | "correlationId">): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
});

/** The common part of every action on a ticket. @throws Problem 404 */
async function ticketWriting(
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
async function ticketIdOf(
  dependencies: HandlerDependencies,
  { request }: Pick<StaffCall, "request">,
): Promise<string> {
  const typed = String(request.params.ticketNumber);
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookUpTicket(typed));
  if (!found) throw notFound();
  return found.ticketId;
}

/** User ids of possible assignees: the caller first, then staff and managers named in the settings. */
function assignableBy(
  { settings }: Pick<HandlerDependencies, "settings">,
  { userId }: StaffMember,
): readonly string[] {
  const others = [...settings.current().grants]
    .filter(([id, grant]) => id !== userId && (grant === "staff" || grant === "manager"))
    .map(([id]) => id);
  return [userId, ...others];
}

/** User ids of the assignees. */
const assigneesIn = (tickets: TicketListPage["tickets"]): readonly string[] => [
  ...new Set(tickets.flatMap(({ assignee }) => assignee ?? [])),
];

/** The inbox, without personal data or message texts. `today` is London's, for the days left. */
function presentTicketList(
  { tickets, next }: TicketListPage,
  counts: TicketCounts,
  { nameOf, today }: { nameOf: NameOf; today: string },
): Presented<typeof ticketListAnswer> {
  return {
    today,
    counts: {
      open: counts.open,
      waiting: counts.waiting,
      due: counts.due,
      late: counts.late,
      unreached: counts.unreached,
    },
    tickets: tickets.map((ticket) => ({
      ticketNumber: ticket.ticketNumber,
      category: ticket.category,
      status: ticket.status,
      since: ticket.since,
      openedAt: ticket.openedAt,
      assignee: ticket.assignee,
      messages: ticket.messages,
      notes: ticket.notes,
      lastMessage: { author: ticket.lastMessage.author, at: ticket.lastMessage.at },
      orderNumber: ticket.orderNumber,
      linked: ticket.orderId !== null,
      clock: ticket.clock && {
        rule: ticket.clock.rule,
        dueOn: ticket.clock.dueOn,
        metOn: ticket.clock.metOn,
      },
      needsOtherAcknowledgement: ticket.needsOtherAcknowledgement,
      undelivered: ticket.undelivered,
      deletedAt: ticket.purgedAt,
    })),
    people: presentPeople(assigneesIn(tickets), nameOf),
    next: next && cursorOf(next),
  };
}

/** A place in the inbox, encoded for a URL. */
const cursorOf = ({ at, ticketId }: TicketListCursor): string => placeText([at, ticketId]);

/** The requested list; `mine` depends on the caller. */
function inboxRequest(
  { assignee, ...query }: Read<typeof contract.listTickets>,
  userId: string,
): TicketListRequest {
  if (assignee === undefined) return query;
  return { ...query, assignee: assignee === "mine" ? userId : null };
}
