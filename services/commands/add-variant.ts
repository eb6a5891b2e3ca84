import type { VariantRequest } from "../../domain/forms/variant-request.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { Desk } from "./desk.ts";
import type { OnBehalf, Told } from "./orders.ts";
import { beginSealing } from "./personal-data.ts";

/**
 * Adds what is ordered, or replaces it before payment: seals the application, then appends. The application carries the order's own
 * label, whatever the request calls it.
 * @throws Refused `wrong-amount` when the amount or the order's quote is not what the choice costs
 */
export async function addVariant(
  desk: Desk,
  orderId: string,
  request: VariantRequest,
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<Told> {
  const commandId = clientCommandId(desk.deriveId, desk.newId, key);
  const sealing = await beginSealing(desk, {
    subject: orderId,
    commandId,
    repeatable: key !== undefined,
    body: request,
    isKnown: () => desk.orders.knows(orderId, commandId),
  });
  const { order } = await desk.orders.load(orderId);
  const application = { ...request.application, reference: order.reference };
  const applicationRef = await sealing.seal("application", "application", application);
  return desk.orders.tell({
    orderId,
    commandId,
    by,
    fingerprint: async () => sealing.fingerprint,
    command: {
      type: "AddVariant",
      data: { ...request.choice, priceLists: desk.priceLists(), applicationRef },
    },
  });
}
