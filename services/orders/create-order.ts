import { createHash } from "node:crypto";
import type { CreateOrderRequest } from "../../contract/orders/ordering.ts";
import * as ordering from "../../contract/orders/ordering.ts";
import { orderNumberOf, orderReference } from "../../domain/numbers.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { OrderState } from "../../domain/order/state.ts";
import { timeOf, timeOrdered } from "../../domain/time-ordered-ids.ts";
import { keyReused } from "../gateway/errors/problem.ts";
import { keyFor } from "../gateway/guards/identify.ts";
import { route } from "../gateway/route.ts";
import type { DeriveId } from "../vault/vault.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { OrderDependencies } from "./dependencies.ts";
import { idsToLink } from "./drafts/save-draft.ts";
import type { OrderResult } from "./orders.ts";
import { typedCommand } from "./personal-data.ts";
import { presentCreated } from "./requests/present-orders.ts";

/**
 * `compared` is false if a repeat got the first result without its body being compared: it may come from another
 * sender.
 */
type Opened = OrderResult & { readonly compared: boolean };

/**
 * Opens an order, with contact and signature sealed. All ids derive from the client's key, so a repeat, however
 * late, is the same order.
 * @throws Refused `impossible-quote` if the quoted total matches no option; CommandReused for another body under the
 * same key
 */
export async function createOrder(
  deps: OrderDependencies,
  request: CreateOrderRequest,
  key: ClientKey | undefined,
  correlationId: string,
): Promise<Opened> {
  const commandId = clientCommandId(deps.deriveId, deps.newId, key);
  const orderId = orderIdFor(deps, commandId, key);
  const { contact, signature, quotedTotalPence, termsVersion, consentVersion, savedDrafts, draftId } =
    request;
  const priceLists = deps.priceLists();
  const labels = orderLabels(deps.deriveId, orderId, deps.now().getUTCFullYear());
  const order = { orderId, ...labels, quotedTotalPence, priceLists, termsVersion, consentVersion };
  const savedDraftIds = await idsToLink(deps, savedDrafts);
  // Derived: the log holds no text that a client chose.
  const certificateId = draftId === "" ? null : deps.deriveId("certificate", draftId);
  const commandOf = (contactRef: string, signatureRef: string | null): OrderCommand => ({
    type: "CreateOrder",
    data: { ...order, contactRef, signatureRef, savedDraftIds, certificateId },
  });
  const typed = typedCommand<OrderState, OrderCommand>(deps, {
    subject: orderId,
    commandId,
    repeatable: key !== undefined,
    isFirst: true,
    body: request,
    draft: commandOf(unsealed, null),
    command: async (seal) => {
      const [contactRef, signatureRef] = await Promise.all([
        seal("contact", "contact", contact),
        signature === "" ? null : seal("signature", "application", { signature }),
      ]);
      return commandOf(contactRef, signatureRef);
    },
  });
  let compared = true;
  const result = await deps.orders.execute({
    orderId,
    by: { actor: { kind: "customer", id: orderId }, correlationId },
    ...typed,
    fingerprint: async () => {
      const fingerprint = await typed.fingerprint();
      compared = key === undefined || fingerprint !== null;
      return fingerprint;
    },
  });
  return { ...result, compared };
}

/** Time-ordered where the client's key tells its time. By the server's clock, a late repeat would be another order. */
function orderIdFor(
  { deriveId, now }: Pick<OrderDependencies, "deriveId" | "now">,
  commandId: string,
  key: ClientKey | undefined,
): string {
  const id = deriveId("order", commandId);
  const atMs = key === undefined ? now().getTime() : timeOf(key.key);
  return atMs === undefined ? id : timeOrdered(id, atMs);
}

/**
 * Order number and reference, deterministic for an order id, and unpredictable without the installation's secret from
 * which they are derived.
 */
function orderLabels(deriveId: DeriveId, orderId: string, year: number) {
  const bytes = createHash("sha256").update(deriveId("order-number", orderId)).digest();
  return {
    orderNumber: orderNumberOf(bytes.readBigUInt64BE(0)),
    reference: orderReference(year, bytes.readUInt32BE(8) % 1000),
  };
}

/**
 * POST /api/orders: the caller becomes the order's holder. A repeat that could not be compared, because the order's key
 * is destroyed, proves nothing: only the existing holder gets the order again.
 */
export const openOrder = route(ordering.openOrder, ({ deps, access }) => async (call) => {
  const key = keyFor("open-order", call.idempotencyKey);
  const { order, position, compared } = await createOrder(deps, call.body, key, call.correlationId);
  if (!compared && !(await call.caller.holds(order.orderId))) throw keyReused();
  const cookies = access.grant(call.request, order.orderId);
  return { body: presentCreated(order), position, cookies };
});
