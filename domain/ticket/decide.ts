import { type CommandMetadata, type Decider, Refused } from "../decider.ts";
import { addSeconds, before } from "../instant.ts";
import { bounced, closeMail, isNewBounce, isNewResult, missedOf } from "../mailbox.ts";
import { londonDate } from "../promise/london-time.ts";
import { acknowledgeBy, isAcknowledged } from "./clocks.ts";
import type { TicketCommand, TicketCommandData, TicketCommandType } from "./commands.ts";
import type { TicketEvent, TicketEventData } from "./events.ts";
import { evolveTicket } from "./evolve.ts";
import { ticketMailRules } from "./mail-rules.ts";
import { type KeptParts, keptBytes, mostOriginalBytes, onlyText } from "./message-parts.ts";
import { erasable } from "./owed.ts";
import { type TicketLimitRule, type TicketPhaseRule, ticketCellOf, ticketLimits } from "./phases.ts";
import {
  absentTicket,
  isTicketGone,
  namedTicketRecords,
  type Ticket,
  type TicketState,
  ticketExists,
} from "./state.ts";
import type { TicketCategory, TicketPurgeRule, TicketRevealReason, TicketStatus } from "./vocabulary.ts";

/**
 * How long one reveal lasts. Reading a conversation, answering it and seeing the page update is one reveal: were each
 * an event, the access log would bury the ones that matter. A later one is another, however long the page stood open:
 * it is counted from the first moment and never prolonged, so the log shows that a page was open all day.
 */
const revealLastsSeconds = 15 * 60;

/** Whether an earlier reveal for the same reason still covers this moment. */
const isRevealed = (
  { looks }: Pick<Ticket, "looks">,
  staffId: string,
  reason: TicketRevealReason,
  at: string,
): boolean =>
  looks.some(
    (look) =>
      look.staffId === staffId &&
      look.reason === reason &&
      before(at, addSeconds(look.at, revealLastsSeconds)),
  );

/** Rules finer than the phase table: stable codes, shown to clients. */
type TicketRule =
  | TicketPhaseRule
  | TicketLimitRule
  | "answer-pending"
  | "staff-only"
  | "no-clock"
  | "no-original"
  | "still-needed";

/**
 * How many messages a customer may send before an answer, and as many bytes of files and mails as these may have,
 * automatic replies included: a conversation, not a store.
 */
const mostUnanswered = 20;
const mostUnansweredBytes = mostUnanswered * mostOriginalBytes;

type Later = Exclude<TicketCommandType, "OpenTicket">;
type CommandOf<Type extends TicketCommandType> = {
  [T in Type]: Extract<TicketCommand, { type: T }> & {
    readonly type: T;
    readonly data: TicketCommandData<T>;
  };
}[Type];
type Decisions = {
  readonly [T in Later]: (
    ticket: Ticket,
    data: TicketCommandData<T>,
    metadata: CommandMetadata,
  ) => TicketEvent[];
};

/** What to throw when a rule forbids a command. */
const ticketForbids = ({ phase }: Ticket, rule: TicketRule, details: Refused["details"] = {}): Refused =>
  new Refused({ code: "forbidden-in-phase", phase, rule, details });

/** The last day to acknowledge a ticket that was opened at a moment; null where the law sets none. */
const acknowledgementDue = (category: TicketCategory, openedAt: string): string | null =>
  category === "dataProtectionComplaint" ? acknowledgeBy(londonDate(openedAt)) : null;

function open(data: TicketCommandData<"OpenTicket">, { at }: CommandMetadata): TicketEvent[] {
  const { heldOrderId, mailContent, ...ticket } = data;
  const dueDate = data.automatic ? null : acknowledgementDue(data.category, at);
  const events: TicketEvent[] = [{ type: "TicketOpened", data: { ...ticket, acknowledgeBy: dueDate } }];
  if (heldOrderId !== null) events.push({ type: "TicketLinkedToOrder", data: { orderId: heldOrderId } });
  if (mailContent !== "link") events.push({ type: "MailContentChosen", data: { content: mailContent } });
  return events;
}

/** The status that a message or a choice leads to, unless the ticket has it. */
function turnTo(
  { phase }: Ticket,
  status: TicketStatus,
  reason: TicketEventData<"TicketStatusChanged">["reason"],
): TicketEvent[] {
  return phase === status ? [] : [{ type: "TicketStatusChanged", data: { status, reason } }];
}

/** Opens a ticket for staff if the mail of its latest answer did not reach the customer. */
function openIfMissed(
  ticket: Ticket,
  { template, about }: Pick<TicketCommandData<"RecordBounce">, "template" | "about">,
  mails: Ticket["mails"],
): TicketEvent[] {
  const missed = template === "ticketAnswered" ? missedOf(mails, ticketMailRules(ticket)) : [];
  return missed.some((mail) => mail.about === about) ? turnTo(ticket, "Open", "undelivered") : [];
}

function staffIdOf(ticket: Ticket, { actor }: CommandMetadata): string {
  if (actor.kind !== "staff") throw ticketForbids(ticket, "staff-only");
  return actor.id;
}

/**
 * Refuses a decision made before the ticket was changed.
 * @throws Refused `changed-meanwhile`
 */
function assertSeen({ phase, revision }: Ticket, seen: number | undefined): void {
  if (seen === undefined || seen >= revision) return;
  throw new Refused({
    code: "changed-meanwhile",
    phase,
    rule: "changed-meanwhile",
    details: { revision },
  });
}

/**
 * Refuses what came through a link that was replaced meanwhile.
 * @throws Refused `unknown-ticket`, as for any link that opens nothing
 */
function assertAdmitted(ticket: Ticket, linkGeneration: number | undefined): void {
  if (linkGeneration !== undefined && linkGeneration !== ticket.linkGeneration) throw unknownTicket();
}

/** What the customer sent since the last answer, automatic replies included. */
const unansweredIn = ({ messages }: Ticket) =>
  messages.slice(messages.findLastIndex(({ author }) => author === "staff") + 1);

function guardFlood(ticket: Ticket, message: KeptParts): void {
  const written = unansweredIn(ticket).filter(({ automatic }) => !automatic);
  if (written.length >= mostUnanswered) throw ticketForbids(ticket, "answer-pending");
  guardBytes(ticket, message);
}

/** Text alone is taken all the same: the customer can always write. */
function guardBytes(ticket: Ticket, message: KeptParts): void {
  const bytes = keptBytes(message);
  const unanswered = unansweredIn(ticket).reduce((sum, one) => sum + keptBytes(one), bytes);
  if (bytes > 0 && unanswered > mostUnansweredBytes) throw ticketForbids(ticket, "answer-pending");
}

const decisions: Decisions = {
  ReplyToTicket(ticket, { messageRef, mail, attachments, next = "Waiting" }, metadata) {
    if (metadata.actor.kind === "staff") {
      const data = { author: "staff", staffId: metadata.actor.id, messageRef, ...onlyText } as const;
      const replied: TicketEvent = { type: "TicketReplied", data };
      return [replied, ...turnTo(ticket, next, next === "Closed" ? "staffChoice" : "reply")];
    }
    guardFlood(ticket, { mail, attachments });
    const replied: TicketEvent = {
      type: "TicketReplied",
      data: { author: "customer", staffId: null, messageRef, mail, attachments },
    };
    return [replied, ...turnTo(ticket, "Open", "reply")];
  },

  FileAutomaticReply(ticket, data) {
    guardBytes(ticket, data);
    return [{ type: "AutomaticReplyReceived", data }];
  },

  NoteOnTicket: (ticket, { noteRef }, metadata) => [
    { type: "TicketNoted", data: { staffId: staffIdOf(ticket, metadata), noteRef } },
  ],

  AssignTicket: (ticket, { assignee }) =>
    ticket.assignee === assignee ? [] : [{ type: "TicketAssigned", data: { assignee } }],

  ChangeTicketStatus: (ticket, { status, reason }) => turnTo(ticket, status, reason),

  CategoriseTicket: (ticket, { category }) =>
    ticket.category === category
      ? []
      : [
          {
            type: "TicketCategorised",
            data: { category, acknowledgeBy: acknowledgementDue(category, ticket.openedAt) },
          },
        ],

  LinkTicketToOrder: (ticket, { orderId }) =>
    ticket.linkedOrder?.orderId === orderId ? [] : [{ type: "TicketLinkedToOrder", data: { orderId } }],

  ReplaceTicketLink: ({ linkGeneration }) => [
    { type: "TicketLinkReplaced", data: { generation: linkGeneration + 1 } },
  ],

  ChooseMailContent: (ticket, { content }) =>
    ticket.mailContent === content ? [] : [{ type: "MailContentChosen", data: { content } }],

  AcknowledgeTicket(ticket, { channel }, metadata) {
    if (ticket.acknowledgement.by === null) throw ticketForbids(ticket, "no-clock");
    if (isAcknowledged(ticket.acknowledgement)) return [];
    return [{ type: "TicketAcknowledged", data: { staffId: staffIdOf(ticket, metadata), channel } }];
  },

  RevealPersonalData(ticket, { reason }, metadata) {
    const staffId = staffIdOf(ticket, metadata);
    if (isRevealed(ticket, staffId, reason, metadata.at)) return [];
    return [{ type: "PersonalDataRevealed", data: { staffId, reason } }];
  },

  RevealOriginal(ticket, { messageId, reason }, metadata) {
    const message = ticket.messages.find((one) => one.messageId === messageId);
    if (!message?.mail) throw ticketForbids(ticket, "no-original");
    return [{ type: "OriginalRevealed", data: { staffId: staffIdOf(ticket, metadata), messageId, reason } }];
  },

  RequestErasure: ({ erasureRequestedAt }) =>
    erasureRequestedAt === null ? [{ type: "ErasureRequested", data: {} }] : [],

  RecordTicketMail(ticket, { result, ...mail }, { at }) {
    if (!isNewResult(ticket.mails, { result, ...mail }, ticketMailRules(ticket))) return [];
    if (result === "sent") return [{ type: "MailSent", data: mail }];
    const undeliverable: TicketEvent = { type: "MailUndeliverable", data: { ...mail, because: result } };
    return [undeliverable, ...openIfMissed(ticket, mail, closeMail(ticket.mails, mail, result, at))];
  },

  RecordBounce(ticket, data, { at }) {
    if (!isNewBounce(ticket.mails, data)) return [];
    const returned: TicketEvent = { type: "MailBounced", data };
    // One that was reported as unwanted arrived.
    if (data.kind === "complaint") return [returned];
    const mails = bounced(ticket.mails, data, at, ticketMailRules(ticket));
    return [returned, ...openIfMissed(ticket, data, mails)];
  },

  StartTicketPurge(ticket, { rule }) {
    const records = namedTicketRecords(ticket).map((record) => ({ ...record }));
    if (isTicketGone(ticket) || records.length === 0) return [];
    if (!holds(ticket, rule)) throw ticketForbids(ticket, "still-needed");
    return [{ type: "TicketPurgeStarted", data: { rule, records } }];
  },

  PurgeTicket({ purge: { open } }, data) {
    if (open?.startedBy !== data.startedBy) return [];
    if (data.outcome === "failed") {
      return [{ type: "PurgeFailed", data: { code: data.code, attempt: data.attempt } }];
    }
    const { outcome: _, ...receipt } = data;
    return [{ type: "TicketPurged", data: { ...receipt, rule: open.rule } }];
  },
};

/**
 * Whether a rule may purge a closed ticket. That its time is over, or the order's data gone, the policy has checked.
 */
const holds = (ticket: Ticket, rule: TicketPurgeRule): boolean =>
  rule === "erasure" ? erasable(ticket) !== undefined : rule === "retention" || ticket.linkedOrder !== null;

function decideOn<Type extends Later>(
  ticket: Ticket,
  command: CommandOf<Type>,
  metadata: CommandMetadata,
): TicketEvent[] {
  // From the start of its purge on it takes no more than one that was purged.
  const cell = ticketCellOf(command.type, isTicketGone(ticket) ? "Purged" : ticket.phase);
  if (cell !== "allowed") throw ticketForbids(ticket, cell);
  assertAdmitted(ticket, "linkGeneration" in command.data ? command.data.linkGeneration : undefined);
  if (!isTicketGone(ticket)) assertSeen(ticket, "seen" in command.data ? command.data.seen : undefined);
  const events = decisions[command.type](ticket, command.data, metadata);
  const limit = ticketLimits.reached(ticket.counts, events, metadata.actor);
  if (limit) throw ticketForbids(ticket, limit.rule, { most: limit.most });
  return events;
}

/**
 * What a command makes happen. Nothing, when it is true already.
 * @throws Refused when the phase or a finer rule forbids it
 */
function decideTicket(state: TicketState, command: TicketCommand, metadata: CommandMetadata): TicketEvent[] {
  if (command.type === "OpenTicket") {
    if (ticketExists(state)) throw ticketForbids(state, "already-exists");
    return open(command.data, metadata);
  }
  if (!ticketExists(state)) throw unknownTicket();
  return decideOn(state, command, metadata);
}

/** What to throw where there is no ticket of an id. */
export const unknownTicket = (): Refused =>
  new Refused({ code: "unknown-ticket", phase: "Absent", rule: "unknown-ticket" });

/** The ticket: what it starts as, how facts change it, what it answers. */
export const ticketDecider: Decider<TicketState, TicketCommand, TicketEvent> = {
  initial: absentTicket,
  evolve: evolveTicket,
  decide: decideTicket,
};
