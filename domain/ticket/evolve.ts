import type { Recorded } from "../decider.ts";
import { bounced, closeMail, forget, type MailResult, owe, readdressed } from "../mailbox.ts";
import { ImpossibleHistory } from "../order/evolve.ts";
import type { TicketEvent, TicketEventData, TicketEventType } from "./events.ts";
import { ticketMailRules } from "./mail-rules.ts";
import { ticketLimits } from "./phases.ts";
import { type Ticket, type TicketMessage, type TicketState, ticketExists, writtenMessages } from "./state.ts";

type Later = Exclude<TicketEventType, "TicketOpened">;
type EventOf<Type extends TicketEventType> = {
  [T in Type]: Extract<TicketEvent, { type: T }> & { readonly type: T; readonly data: TicketEventData<T> };
}[Type];
type Folds = {
  readonly [T in Later]: (ticket: Ticket, data: TicketEventData<T>, recorded: Recorded) => Ticket;
};

function opened(data: TicketEventData<"TicketOpened">, { at, eventId, revision }: Recorded): Ticket {
  const { messageRef, acknowledgeBy, mail, attachments, automatic, ...ticket } = data;
  return {
    ...ticket,
    phase: automatic ? "Closed" : "Open",
    phaseSince: at,
    revision,
    openedAt: at,
    linkedOrder: null,
    assignee: null,
    linkGeneration: 1,
    mailContent: "link",
    firstClosedAt: automatic ? at : null,
    looks: [],
    messages: [
      {
        ...{ messageId: eventId, author: "customer", staffId: null, at, ref: messageRef },
        ...{ automatic, mail, attachments },
      },
    ],
    notes: [],
    acknowledgement: { by: acknowledgeBy, state: "owed", at },
    erasureRequestedAt: null,
    mails: { owed: automatic ? [] : [{ template: "ticketOpened", about: eventId, since: at }], sent: [] },
    purge: { purgedAt: null, receipt: null, failures: 0, failedAt: null, failure: null },
    counts: {},
  };
}

function replied(
  ticket: Ticket,
  { messageRef, ...message }: TicketEventData<"TicketReplied">,
  { at, eventId }: Recorded,
): Ticket {
  const messages = [
    ...ticket.messages,
    { ...message, messageId: eventId, at, ref: messageRef, automatic: false },
  ];
  if (message.author === "staff") {
    // The status of an open ticket changes in the next event.
    const phaseSince = ticket.phase === "Open" ? ticket.phaseSince : at;
    return { ...ticket, phaseSince, messages, mails: owe(ticket.mails, "ticketAnswered", eventId, at) };
  }
  if (writtenMessages(ticket).some(({ author }) => author === "customer")) return { ...ticket, messages };
  // Automatic mail opened it, even if staff have answered: only now is there something to acknowledge and to deal with.
  return { ...ticket, messages, firstClosedAt: null, mails: owe(ticket.mails, "ticketOpened", eventId, at) };
}

function statusChanged(
  ticket: Ticket,
  { status, reason }: TicketEventData<"TicketStatusChanged">,
  { at }: Recorded,
): Ticket {
  // A closing that staff undo, or whose answer did not arrive, dealt with nothing.
  const isUndone = ticket.phase === "Closed" && reason !== "reply";
  const firstClosedAt = isUndone ? null : ticket.firstClosedAt;
  return {
    ...ticket,
    phase: status,
    phaseSince: at,
    firstClosedAt: firstClosedAt ?? (status === "Closed" ? at : null),
  };
}

function mailed(ticket: Ticket, mail: TicketEventData<"MailSent">, result: MailResult, at: string): Ticket {
  const mails = closeMail(ticket.mails, mail, result, at);
  return acknowledged({ ...ticket, mails }, mail, result === "sent" ? "sent" : "undeliverable", at);
}

/** The ticket once its acknowledgement left, or did not arrive. One by other means counts whatever became of the mail. */
function acknowledged(
  ticket: Ticket,
  { template }: Pick<TicketEventData<"MailSent">, "template">,
  state: "owed" | "sent" | "undeliverable",
  at: string,
): Ticket {
  const { acknowledgement } = ticket;
  if (template !== "ticketOpened" || acknowledgement.state === "otherwise") return ticket;
  return { ...ticket, acknowledgement: { ...acknowledgement, state, at } };
}

function returned(ticket: Ticket, mail: TicketEventData<"MailBounced">, at: string): Ticket {
  const mails = bounced(ticket.mails, mail, at, ticketMailRules(ticket));
  if (mail.kind === "complaint") return { ...ticket, mails };
  const isOwed = mails.owed.some(({ template }) => template === "ticketOpened");
  return acknowledged({ ...ticket, mails }, mail, isOwed ? "owed" : "undeliverable", at);
}

/** A new link was asked for: the address counts as right, and what did not reach it is sent again. */
function linkReplaced(ticket: Ticket, generation: number, { at, eventId }: Recorded): Ticket {
  const mails = readdressed(ticket.mails, false, at, ticketMailRules(ticket));
  const isOwed = mails.owed.some(({ template }) => template === "ticketOpened");
  const changed = {
    ...ticket,
    linkGeneration: generation,
    // What an earlier one would say is no longer so.
    mails: owe(forget(mails, "ticketLink"), "ticketLink", eventId, at),
  };
  return isOwed ? acknowledged(changed, { template: "ticketOpened" }, "owed", at) : changed;
}

const emptied = <Part extends { readonly ref: string | null }>(parts: readonly Part[]): Part[] =>
  parts.map((part) => ({ ...part, ref: null }));

const emptiedMessage = (message: TicketMessage): TicketMessage => ({
  ...message,
  ref: null,
  mail: message.mail && { ...message.mail, originalRef: null },
  attachments: emptied(message.attachments),
});

const withoutTexts = (ticket: Ticket): Ticket => ({
  ...ticket,
  contactRef: null,
  messages: ticket.messages.map(emptiedMessage),
  notes: emptied(ticket.notes),
});

const folds: Folds = {
  TicketReplied: replied,
  AutomaticReplyReceived: (ticket, { messageRef, ...parts }, { at, eventId }) => ({
    ...ticket,
    messages: [
      ...ticket.messages,
      {
        ...{ messageId: eventId, author: "customer", staffId: null, at, ref: messageRef },
        ...{ automatic: true, ...parts },
      },
    ],
  }),
  TicketNoted: (ticket, { staffId, noteRef }, { at, eventId }) => ({
    ...ticket,
    notes: [...ticket.notes, { noteId: eventId, staffId, at, ref: noteRef }],
  }),
  TicketAssigned: (ticket, { assignee }) => ({ ...ticket, assignee }),
  TicketStatusChanged: statusChanged,
  TicketCategorised: (ticket, { category, acknowledgeBy }) => ({
    ...ticket,
    category,
    acknowledgement: { ...ticket.acknowledgement, by: acknowledgeBy },
  }),
  TicketLinkedToOrder: (ticket, { orderId }, { at }) => ({ ...ticket, linkedOrder: { orderId, at } }),
  TicketLinkReplaced: (ticket, { generation }, recorded) => linkReplaced(ticket, generation, recorded),
  MailContentChosen: (ticket, { content }) => ({ ...ticket, mailContent: content }),
  TicketAcknowledged: (ticket, _, { at }) => ({
    ...ticket,
    acknowledgement: { ...ticket.acknowledgement, state: "otherwise", at },
  }),
  PersonalDataRevealed: (ticket, { staffId, reason }, { at }) => ({
    ...ticket,
    looks: [
      ...ticket.looks.filter((look) => look.staffId !== staffId || look.reason !== reason),
      { staffId, reason, at },
    ],
  }),
  OriginalRevealed: (ticket) => ticket,
  ErasureRequested: (ticket, _, { at }) => ({
    ...ticket,
    erasureRequestedAt: ticket.erasureRequestedAt ?? at,
  }),
  MailSent: (ticket, mail, { at }) => mailed(ticket, mail, "sent", at),
  MailUndeliverable: (ticket, mail, { at }) => mailed(ticket, mail, mail.because, at),
  MailBounced: (ticket, mail, { at }) => returned(ticket, mail, at),
  TicketPurgeStarted: (ticket, { rule, records }, { at, eventId }) => ({
    ...withoutTexts(ticket),
    purge: { ...ticket.purge, open: { startedBy: eventId, at, rule, records } },
  }),
  TicketPurged: (ticket, { startedBy: _, ...receipt }, { at }) => ({
    ...withoutTexts(ticket),
    phase: "Purged",
    phaseSince: at,
    // There is no address left to write to.
    mails: { ...ticket.mails, owed: [] },
    purge: { purgedAt: at, receipt, failures: 0, failedAt: null, failure: null },
  }),
  PurgeFailed: (ticket, { code }, { at }) => ({
    ...ticket,
    purge: { ...ticket.purge, failures: ticket.purge.failures + 1, failedAt: at, failure: code },
  }),
};

/** What moves the stream, and nothing of what people act on. */
const unseen: readonly TicketEventType[] = [
  "AutomaticReplyReceived",
  "PersonalDataRevealed",
  "OriginalRevealed",
  "ErasureRequested",
  "MailSent",
  "MailUndeliverable",
  "MailBounced",
  "PurgeFailed",
];
const passesUnseen = ({ type }: { readonly type: TicketEventType }): boolean => unseen.includes(type);

function fold<Type extends Later>(ticket: Ticket, event: EventOf<Type>, recorded: Recorded): Ticket {
  const change: Folds[Type] | undefined = folds[event.type];
  if (!change) throw new ImpossibleHistory(`No fold for the event ${event.type}.`);
  const changed = change(ticket, event.data, recorded);
  const counts = ticketLimits.counted(ticket.counts, event.type);
  return { ...changed, counts, revision: passesUnseen(event) ? ticket.revision : recorded.revision };
}

/**
 * The ticket after one more event.
 * @throws ImpossibleHistory for an unknown event, one before TicketOpened, or a second TicketOpened
 */
export function evolveTicket(state: TicketState, event: TicketEvent, recorded: Recorded): TicketState {
  if (event.type === "TicketOpened") {
    if (ticketExists(state)) throw new ImpossibleHistory("The ticket was opened twice.");
    return opened(event.data, recorded);
  }
  if (!ticketExists(state)) throw new ImpossibleHistory(`${event.type} came before TicketOpened.`);
  return fold(state, event, recorded);
}
