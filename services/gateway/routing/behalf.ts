import type { ClientKey } from "../../orders/command-ids.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { actorOn } from "../guards/identify.ts";
import type { OrderCall } from "./route.ts";

/** On whose behalf a call about an order works. */
export function behalfOf({ orderId, caller, correlationId }: Omit<OrderCall, "body">): OnBehalf {
  return { actor: actorOn(orderId, caller), correlationId };
}

/** The client's key for one kind of command on one thing; undefined when it sent none. */
export function keyFor(scope: string, key: string | undefined): ClientKey | undefined {
  return key === undefined ? undefined : { scope, key };
}
