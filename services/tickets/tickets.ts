import type { TicketCommand } from "../../domain/ticket/commands.ts";
import { ticketDecider, unknownTicket } from "../../domain/ticket/decide.ts";
import { ticketEventSchema, ticketEventSchemas, ticketStream } from "../../domain/ticket/events.ts";
import { type Ticket, type TicketState, ticketExists } from "../../domain/ticket/state.ts";
import type { Cause } from "../../infra/commands/history.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import {
  type CommandBusDependencies,
  type CommandRequest,
  type CommandResult,
  createCommandBus,
} from "../command-bus.ts";

import { type PastTicketEvent, readTicketHistory } from "./ticket-history.ts";

/** A command on its way to a ticket. */
export type TicketRequest = CommandRequest<TicketState, TicketCommand> & { readonly ticketId: string };

/** The ticket after a command, and where the log then stood. */
export type TicketResult = { readonly ticket: Ticket; readonly position: Position };

/** The ticket as it was found, and the event that whatever is done next follows from. */
export type LoadedTicket = TicketResult & { readonly cause: Cause | undefined };

/** Loads tickets and tells them commands. */
export interface Tickets {
  /** @throws Refused when a rule forbids it; CommandReused when the id was used for another command */
  execute(request: TicketRequest): Promise<TicketResult>;
  /** @throws Refused `unknown-ticket` */
  load(ticketId: string): Promise<LoadedTicket>;
  /** All that happened to it, in order. @throws StreamUnreadable */
  history(ticketId: string): Promise<readonly PastTicketEvent[]>;
  /** Whether a ticket, or none yet, was told the command of this id. */
  knows(ticketId: string, commandId: string): Promise<boolean>;
}

/** Puts the decider of tickets on a store. */
export function createTickets(ground: CommandBusDependencies): Tickets {
  const bus = createCommandBus(ground, {
    decider: ticketDecider,
    eventTypes: ticketEventSchemas,
    parseEvent: (event) => ticketEventSchema.parse(event),
    streamOf: ticketStream,
    starts: ({ type }) => type === "OpenTicket",
    aside: new Set(["PersonalDataRevealed", "TicketNoted"]),
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
