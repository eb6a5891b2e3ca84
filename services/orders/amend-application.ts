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
 * Replaces the application. Before submission it takes the old one's place; after a question from the GRO it is the
 * answer and is submitted again. Seals first, then appends; a policy destroys the replaced application.
 * @throws Refused while an attempt is open, once the GRO has accepted the application without a question, and until the
 * old one is destroyed
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

/** The command for a replaced application: an answer to the GRO, or an amendment. */
const amending = (order: Order, applicationRef: string): OrderCommand => ({
  type: applicationChangeOf(order),
  data: { applicationRef },
});
