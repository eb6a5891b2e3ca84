import * as ordering from "../../contract/orders/ordering.ts";
import type { VariantRequest } from "../../domain/forms/variant-request.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { OrderState } from "../../domain/order/state.ts";
import { behalfOf, keyFor } from "../gateway/guards/identify.ts";
import { holderRoute } from "../gateway/route.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { existingOrder, type OnBehalf, type OrderResult } from "./orders.ts";
import { typedCommand } from "./personal-data.ts";
import { presentStatus } from "./requests/present-orders.ts";

/**
 * Adds the ordered certificate, or replaces it before payment, with the application sealed. The application's
 * label is the order's own, whatever the request says.
 * @throws Refused `wrong-amount` if the amount or the order's quote differs from the price of the choice
 */
export function addVariant(
  deps: OrderDependencies,
  orderId: string,
  request: VariantRequest,
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<OrderResult> {
  const priceLists = deps.priceLists();
  const commandOf = (applicationRef: string): OrderCommand => ({
    type: "AddVariant",
    data: { ...request.choice, priceLists, applicationRef },
  });
  return deps.orders.execute({
    orderId,
    by,
    ...typedCommand<OrderState, OrderCommand>(deps, {
      subject: orderId,
      commandId: clientCommandId(deps.deriveId, deps.newId, key),
      repeatable: key !== undefined,
      body: request,
      draft: commandOf(unsealed),
      command: async (seal, order) => {
        const { reference } = existingOrder(order);
        return commandOf(await seal("application", "application", { ...request.application, reference }));
      },
    }),
  });
}

export const chooseVariant = holderRoute(ordering.chooseVariant, ({ deps }) => async (call) => {
  const key = keyFor(`variant ${call.orderId}`, call.idempotencyKey);
  const { order, position } = await addVariant(deps, call.orderId, call.body, key, behalfOf(call));
  return { body: presentStatus(order), position };
});
