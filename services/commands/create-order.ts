import type { CreateOrderRequest } from "../../domain/forms/order-requests.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { Desk } from "./desk.ts";
import { orderLabels } from "./order-labels.ts";
import type { Told } from "./orders.ts";
import { beginSealing } from "./personal-data.ts";

/** `compared` is false where a repeat got the first result without a look at its body: whoever sent it may be somebody else. */
export type Opened = Told & { readonly compared: boolean };

/**
 * Opens an order: seals contact and signature, then appends. With a client's key all ids derive from it, so that a repeat, however
 * late, is the same order.
 * @throws Refused `impossible-quote` when no choice costs the quoted total; CommandReused for another body under the same key
 */
export async function createOrder(
  desk: Desk,
  request: CreateOrderRequest,
  key: ClientKey | undefined,
  correlationId: string,
): Promise<Opened> {
  const commandId = clientCommandId(desk.deriveId, desk.newId, key);
  const orderId = desk.deriveId("order", commandId);
  const { contact, signature, quotedTotalPence, termsVersion, consentVersion } = request;
  const sealing = await beginSealing(desk, {
    subject: orderId,
    commandId,
    repeatable: key !== undefined,
    body: request,
    isKnown: () => desk.orders.knows(orderId, commandId),
  });
  const [contactRef, signatureRef] = await Promise.all([
    sealing.seal("contact", "contact", contact),
    signature === "" ? null : sealing.seal("signature", "application", { signature }),
  ]);
  const labels = orderLabels(desk.deriveId, orderId, desk.now().getUTCFullYear());
  const told = await desk.orders.tell({
    orderId,
    commandId,
    by: { actor: { kind: "customer", id: orderId }, correlationId },
    fingerprint: async () => sealing.fingerprint,
    command: {
      type: "CreateOrder",
      data: {
        orderId,
        ...labels,
        quotedTotalPence,
        priceLists: desk.priceLists(),
        termsVersion,
        consentVersion,
        contactRef,
        signatureRef,
      },
    },
  });
  return { ...told, compared: key === undefined || sealing.fingerprint !== null };
}
