import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { OrderState } from "../../../domain/order/state.ts";
import { keepsQuestion } from "../../../domain/order/submission/decide-submission.ts";
import type { GroOutcome } from "../../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { existingOrder } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";

type Reported = {
  readonly attempt: number | null;
  readonly outcome: GroOutcome;
  /** The text of a question; null without one. */
  readonly question: string | null;
};

type Named = { readonly orderId: string; readonly commandId: string; readonly repeatable: boolean };

/** RecordGROOutcome with the text of a question sealed, if the order keeps it. */
export function outcomeCommand(
  deps: OrderDependencies,
  { orderId, commandId, repeatable }: Named,
  { attempt, outcome, question }: Reported,
) {
  const commandOf = (questionRef: string | null): OrderCommand => ({
    type: "RecordGROOutcome",
    data: { attempt, outcome, questionRef },
  });
  return typedCommand<OrderState, OrderCommand>(deps, {
    subject: orderId,
    commandId,
    repeatable: repeatable && question !== null,
    body: { question },
    draft: commandOf(question === null ? null : unsealed),
    command: async (seal, state) =>
      question !== null && keepsQuestion(existingOrder(state), { attempt, outcome })
        ? commandOf(await seal("groQuestion", "application", { text: question }))
        : commandOf(null),
  });
}
