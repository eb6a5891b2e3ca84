import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { TicketState } from "../../domain/ticket/state.ts";
import type { Desk } from "../commands/desk.ts";
import { CommandReused } from "../commands/handler-repeat.ts";
import { type Typed, type TypedCommand, typedCommand } from "../commands/personal-data.ts";

/**
 * What somebody typed in a ticket, ready to be told. Its `fingerprint` throws CommandReused once the ticket was purged: with nothing
 * left to compare, an `Idempotency-Key` alone may not open it.
 */
export function typedInTicket(
  desk: Desk,
  typed: Typed<TicketState, TicketCommand>,
): TypedCommand<TicketState, TicketCommand> {
  const command = typedCommand(desk, typed);
  return {
    ...command,
    fingerprint: async () => {
      const fingerprint = await command.fingerprint();
      if (typed.repeatable && fingerprint === null) throw new CommandReused(typed.commandId);
      return fingerprint;
    },
  };
}
