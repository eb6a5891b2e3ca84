import type { ClientKey } from "../../orders/command-ids.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { actorOn } from "../guards/identify.ts";
import type { OrderCall } from "./route.ts";

/** The party on whose behalf an order is read or changed. */
export function behalfOf({ orderId, caller, correlationId }: Omit<OrderCall, "body">): OnBehalf {
  return { actor: actorOn(orderId, caller), correlationId };
}

/** The client's idempotency key, scoped to one kind of command on one subject; undefined if it sent none. */
export function keyFor(scope: string, key: string | undefined): ClientKey | undefined {
  return key === undefined ? undefined : { scope, key };
}
