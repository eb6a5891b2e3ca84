import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { OrderState } from "../../../domain/order/state.ts";
import { keepsQuestion } from "../../../domain/order/submission/decide-submission.ts";
import type { GroOutcome } from "../../../domain/order/vocabulary.ts";
import type { CommandRequest } from "../../command-bus.ts";
import { type NamedCommand, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { existingOrder } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";

type Reported = {
  readonly attempt: number | null;
  readonly outcome: GroOutcome;
  /** The text of a question; null without one. */
  readonly question: string | null;
};

/**
 * RecordGROOutcome with the text of a question sealed, if there is one and the order keeps it. A repeat is compared
 * unless `repeatable` is false.
 */
export function outcomeCommand(
  deps: OrderDependencies,
  { orderId, commandId, repeatable }: NamedCommand,
  { attempt, outcome, question }: Reported,
): Omit<CommandRequest<OrderState, OrderCommand>, "by"> {
  const commandOf = (questionRef: string | null): OrderCommand => ({
    type: "RecordGROOutcome",
    data: { attempt, outcome, questionRef },
  });
  if (question === null)
    return { commandId, command: commandOf(null), ...(!repeatable && { fingerprint: uncompared }) };
  return typedCommand<OrderState, OrderCommand>(deps, {
    subject: orderId,
    commandId,
    repeatable,
    body: { question },
    draft: commandOf(unsealed),
    command: async (seal, state) =>
      keepsQuestion(existingOrder(state), { attempt, outcome })
        ? commandOf(await seal("groQuestion", "application", { text: question }))
        : commandOf(null),
  });
}
