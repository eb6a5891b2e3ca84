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

type TicketRequest = CommandRequest<TicketState, TicketCommand> & { readonly ticketId: string };

/** The ticket after a command, and the log position. */
export type TicketResult = { readonly ticket: Ticket; readonly position: Position };

/** A loaded ticket, and its last event, which causes what is done next. */
export type LoadedTicket = TicketResult & { readonly cause: Cause | undefined };

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
