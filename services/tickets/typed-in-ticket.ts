import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { TicketState } from "../../domain/ticket/state.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { type Typed, type TypedCommand, typedCommand } from "../orders/personal-data.ts";

/**
 * Prepares a command with text typed in a ticket. Its `fingerprint` throws CommandReused once the ticket is purged:
 * with nothing left to compare, an `Idempotency-Key` alone must not open it.
 */
export function typedInTicket(
  deps: OrderDependencies,
  typed: Typed<TicketState, TicketCommand>,
): TypedCommand<TicketState, TicketCommand> {
  const command = typedCommand(deps, typed);
  return {
    ...command,
    fingerprint: async () => {
      const fingerprint = await command.fingerprint();
      if (typed.repeatable && fingerprint === null) throw new CommandReused(typed.commandId);
      return fingerprint;
    },
  };
}
