import type { OrderCommand } from "../../domain/order/commands.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { Order, OrderState } from "../../domain/order/state.ts";
import { applicationChangeOf } from "../../domain/order/submission/decide-submission.ts";
import type { JsonObject } from "../../infra/json.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { OrderDependencies } from "./dependencies.ts";
import type { OnBehalf, OrderResult } from "./orders.ts";
import { typedCommand } from "./personal-data.ts";

/**
 * Takes an application that was entered again. Before anything was sent it takes the old one's place; after a question of the GRO it
 * is the answer, and goes out once more. Seals first, then appends; a policy destroys what it replaced.
 * @throws Refused while an attempt is open, once the GRO has it without a question, and while the old one is still to be destroyed
 */
export async function amendApplication(
  deps: OrderDependencies,
  orderId: string,
  application: JsonObject,
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<OrderResult> {
  const { order } = await deps.orders.load(orderId);
  return deps.orders.execute({
    orderId,
    by,
    ...typedCommand<OrderState, OrderCommand>(deps, {
      subject: orderId,
      commandId: clientCommandId(deps.deriveId, deps.newId, key),
      repeatable: key !== undefined,
      body: application,
      draft: amending(order, unsealed),
      command: async (seal) => amending(order, await seal("application", "application", application)),
    }),
  });
}

/** The command that an application entered again is, after a question of the GRO or without one. */
const amending = (order: Order, applicationRef: string): OrderCommand => ({
  type: applicationChangeOf(order),
  data: { applicationRef },
});
