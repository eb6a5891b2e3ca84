import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { Refused } from "../../domain/decider.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import { ticketDecider, unknownTicket } from "../../domain/ticket/decide.ts";
import {
  type TicketEvent,
  ticketEventSchema,
  ticketEventSchemas,
  ticketStream,
} from "../../domain/ticket/events.ts";
import {
  type TicketContactRecord,
  type TicketTextRecord,
  ticketContactRecord,
  ticketTextRecord,
} from "../../domain/ticket/held-texts.ts";
import {
  isTicketGone,
  type Ticket,
  type TicketMessage,
  type TicketNote,
  type TicketState,
  ticketExists,
} from "../../domain/ticket/state.ts";
import type {
  AttachmentType,
  OriginalRevealReason,
  TicketRevealReason,
} from "../../domain/ticket/vocabulary.ts";
import type { Cause } from "../../infra/commands/history.ts";
import { type EventMetadata, eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { EventStore, Position } from "../../infra/event-store/event-store.ts";
import { verifyStream } from "../../infra/event-store/hash-chain.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../infra/event-store/upcasting.ts";
import type { SigningKeys } from "../../infra/key-ring/signing-keys.ts";
import type { LookedUpMessage, TicketLookup } from "../../projections/tickets/ticket-lookup.ts";
import {
  type CommandBusDependencies,
  type CommandRequest,
  type CommandResult,
  createCommandBus,
  type OnBehalf,
} from "../command-bus.ts";
import { bytesIfThere, openIfThere, type Vault } from "../vault/vault.ts";

type TicketRequest = CommandRequest<TicketState, TicketCommand> & { readonly ticketId: string };

/** The ticket after a command, and the log position. */
export type TicketResult = { readonly ticket: Ticket; readonly position: Position };

/** A loaded ticket, and its last event, which causes what is done next. */
type LoadedTicket = TicketResult & { readonly cause: Cause | undefined };

/** Loads tickets and executes commands on them. */
export interface Tickets {
  /** @throws Refused when a rule forbids it; CommandReused when the id belongs to another command */
  execute(request: TicketRequest): Promise<TicketResult>;
  /** @throws Refused `unknown-ticket` */
  load(ticketId: string): Promise<LoadedTicket>;
  /** All its events in order. @throws StreamUnreadable */
  history(ticketId: string): Promise<readonly PastTicketEvent[]>;
  /** Whether a command of this id was executed on the ticket, which need not exist. */
  knows(ticketId: string, commandId: string): Promise<boolean>;
}

/** Creates the command bus of tickets on a store. */
export function createTickets(ground: CommandBusDependencies): Tickets {
  const bus = createCommandBus(ground, {
    decider: ticketDecider,
    eventTypes: ticketEventSchemas,
    parseEvent: (event) => ticketEventSchema.parse(event),
    streamOf: ticketStream,
    starts: ({ type }) => type === "OpenTicket",
    aside: new Set(["PersonalDataRevealed", "OriginalRevealed", "TicketNoted"]),
  });
  return {
    execute: async ({ ticketId, ...request }) => existing(await bus.execute(ticketId, request)),
    load: async (ticketId) => {
      const loaded = await bus.load(ticketId);
      return { ...existing(loaded), cause: loaded.cause };
    },
    history: (ticketId) => readTicketHistory(ground.store, ticketId),
    knows: bus.knows,
  };
}

function existing({ state, position }: CommandResult<TicketState>): TicketResult {
  if (ticketExists(state)) return { ticket: state, position };
  throw unknownTicket();
}

/** The current ticket; undefined if the log has none with this id. */
export async function ticketIfKnown(tickets: Tickets, ticketId: string): Promise<LoadedTicket | undefined> {
  try {
    return await tickets.load(ticketId);
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-ticket") return undefined;
    throw error;
  }
}

/** One event of a ticket, with its time and author. */
export type PastTicketEvent = {
  readonly eventId: string;
  readonly event: TicketEvent;
  readonly at: string;
  readonly actor: EventMetadata["actor"];
};

const upcast = createUpcast(ticketEventSchemas);

/** A ticket's events in order; empty if there is no such ticket. @throws StreamUnreadable */
async function readTicketHistory(
  store: Pick<EventStore, "readStream">,
  ticketId: string,
): Promise<readonly PastTicketEvent[]> {
  const stream = ticketStream(ticketId);
  const events = await store.readStream(stream);
  return whileReading(stream, () => {
    verifyStream(stream, events);
    return events.map((stored) => {
      const { at, actor } = eventMetadata.parse(stored.metadata);
      return { eventId: stored.id, event: ticketEventSchema.parse(upcast(stored)), at, actor };
    });
  });
}

type ReadDependencies = { readonly tickets: Tickets; readonly vault: Vault; readonly newId: () => string };

/** All texts of a ticket, for staff. Null: destroyed. */
export type WholeTicket = TicketResult & {
  readonly contact: TicketContactRecord | null;
  readonly messages: readonly (TicketMessage & OpenedMessage & { readonly text: string | null })[];
  readonly notes: readonly (TicketNote & { readonly text: string | null })[];
};

/**
 * Opens all texts of a ticket. The access is recorded before the first text is opened: after a crash the log may hold
 * an access that did not happen, but never lacks one that did. A destroyed ticket has no texts left.
 * @throws Refused `unknown-ticket`
 */
export async function lookIntoTicket(
  deps: ReadDependencies,
  ticketId: string,
  reason: TicketRevealReason,
  by: OnBehalf,
): Promise<WholeTicket> {
  const result = await recordLook(deps, ticketId, reason, by);
  return { ...result, ...(await textsOf(deps, result.ticket)) };
}

/** Records an access before anything is opened, unless nothing is left. @throws Refused `unknown-ticket` */
export async function recordLook(
  { tickets, newId }: Pick<ReadDependencies, "tickets" | "newId">,
  ticketId: string,
  reason: TicketRevealReason,
  by: OnBehalf,
): Promise<TicketResult> {
  const found = await tickets.load(ticketId);
  if (isTicketGone(found.ticket)) return found;
  const command = { type: "RevealPersonalData", data: { reason } } as const;
  return tickets.execute({ ticketId, commandId: newId(), by, command });
}

async function textsOf({ vault }: ReadDependencies, { contactRef, messages, notes }: Ticket) {
  const textOf = ({ ref }: { readonly ref: string | null }) => openIfThere(vault, ref, ticketTextRecord);
  return {
    contact: (await openIfThere(vault, contactRef, ticketContactRecord)) ?? null,
    messages: await Promise.all(
      messages.map(async (message) => {
        const record = await textOf(message);
        return { ...message, text: record?.text ?? null, ...openedOf(message, record) };
      }),
    ),
    notes: await Promise.all(
      notes.map(async (note) => ({ ...note, text: (await textOf(note))?.text ?? null })),
    ),
  };
}

/** What else is sealed with a message's text. */
export type OpenedMessage = {
  readonly quoted: string;
  /** The address that a mail names as its sender. */
  readonly from: string | null;
  readonly files: readonly { readonly name: string; readonly type: AttachmentType; readonly bytes: number }[];
};

const openedOf = (
  { attachments }: Pick<TicketMessage, "attachments">,
  record: TicketTextRecord | undefined,
): OpenedMessage => ({
  quoted: record?.quoted ?? "",
  from: record?.from ?? null,
  files: record
    ? attachments.map(({ type, bytes }, place) => ({ name: record.fileNames[place] ?? type, type, bytes }))
    : [],
});

/** A file that came with a message, opened to be downloaded. */
export type OpenedFile = { readonly name: string; readonly type: AttachmentType; readonly bytes: Uint8Array };

/** An attachment by its message and its place there, from 0; undefined where there is none any more. */
export async function openAttachment(
  vault: Vault,
  messages: readonly Pick<TicketMessage, "messageId" | "ref" | "attachments">[],
  named: { readonly messageId: string; readonly place: number },
): Promise<OpenedFile | undefined> {
  const message = messages.find(({ messageId }) => messageId === named.messageId);
  const attachment = message?.attachments[named.place];
  if (!message || !attachment) return undefined;
  const [record, bytes] = await Promise.all([
    openIfThere(vault, message.ref, ticketTextRecord),
    bytesIfThere(vault, attachment.ref),
  ]);
  const name = record && openedOf(message, record).files[named.place]?.name;
  return name === undefined || bytes === undefined ? undefined : { name, type: attachment.type, bytes };
}

/**
 * Opens a mail as it came. The access is recorded first, each time.
 * @returns undefined where it is destroyed
 * @throws Refused `unknown-ticket`, `no-original`, `ticket-purged`
 */
export async function openOriginal(
  { tickets, vault, newId }: ReadDependencies,
  ticketId: string,
  { messageId, reason }: { readonly messageId: string; readonly reason: OriginalRevealReason },
  by: OnBehalf,
): Promise<Uint8Array | undefined> {
  const { ticket } = await tickets.execute({
    ticketId,
    commandId: newId(),
    by,
    command: { type: "RevealOriginal", data: { messageId, reason } },
  });
  const mail = ticket.messages.find((message) => message.messageId === messageId)?.mail;
  return bytesIfThere(vault, mail?.originalRef ?? null);
}

/**
 * The texts of a ticket. Destroyed ones are left out; the read model may learn of a destruction a moment after the
 * vault.
 */
export type Conversation = {
  /** Null once it was destroyed. */
  readonly subject: string | null;
  /** Oldest first. */
  readonly messages: readonly (LookedUpMessage & OpenedMessage & { readonly text: string })[];
};

/** Opens the texts of a ticket, to be shown and not kept. */
export async function openConversation(
  vault: Vault,
  { contactRef, messages }: Pick<TicketLookup, "contactRef" | "messages">,
): Promise<Conversation> {
  const [contact, texts] = await Promise.all([
    openIfThere(vault, contactRef, ticketContactRecord),
    Promise.all(messages.map(({ ref }) => openIfThere(vault, ref, ticketTextRecord))),
  ]);
  return {
    subject: contact?.subject ?? null,
    messages: messages.flatMap((message, at) => {
      const record = texts[at];
      return record ? [{ ...message, text: record.text, ...openedOf(message, record) }] : [];
    }),
  };
}

/** Private links, which open a ticket to their holder. */
export type TicketLinks = {
  /** The URL that opens a ticket. Its key is in the fragment, which never reaches a server, log or Referer. */
  linkTo(ticketId: string, generation: number): string;
  /** The ticket a key names, whether or not it opens it; undefined if malformed. */
  ticketIdIn(key: string): string | undefined;
  /** Whether a key opens the ticket: only keys of the current generation do. */
  opens(key: string, ticketId: string, generation: number): boolean;
};

const keyShape = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * A link's secret is HMAC-SHA-256(installation key, ticket id and generation), all 256 bits: nothing is stored, a
 * repeated request gets the same secret, and the next generation invalidates every earlier link.
 * @param options.keys the newest signs; signatures of older keys are accepted until those are revoked
 * @param options.publicUrl without a trailing slash
 */
export function createTicketLinks(options: { keys: SigningKeys; publicUrl: string }): TicketLinks {
  const secretOf = (key: KeyObject, ticketId: string, generation: number): string =>
    createHmac("sha256", key)
      .update(["ticket-link", ticketId, String(generation)].join("\n"))
      .digest("base64url");
  return {
    linkTo: (ticketId, generation) =>
      `${options.publicUrl}/support/view#key=${packed(ticketId)}.${secretOf(options.keys.current(), ticketId, generation)}`,
    ticketIdIn: (key) => {
      const [, id] = keyShape.exec(key) ?? [];
      return id && unpacked(id);
    },
    opens: (key, ticketId, generation) => {
      const [, id, secret] = keyShape.exec(key) ?? [];
      if (!id || !secret || unpacked(id) !== ticketId) return false;
      return options.keys
        .accepted()
        .some((one) =>
          timingSafeEqual(Buffer.from(secret), Buffer.from(secretOf(one, ticketId, generation))),
        );
    },
  };
}

const packed = (uuid: string): string => Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");

function unpacked(text: string): string {
  const hex = Buffer.from(text, "base64url").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
