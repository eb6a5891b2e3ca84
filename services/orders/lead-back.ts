import { correlated } from "../../infra/telemetry/tracing/correlation.ts";
import type { OrderDependencies } from "./dependencies.ts";
import type { OnBehalf } from "./orders.ts";

/**
 * Takes what a provider tells of an order on behalf of the request that led to it, so that one id leads from the customer's click through the
 * provider and back. The provider's own request keeps its id in the log, beside that one.
 * @throws Refused `unknown-order`, and whatever `take` throws
 */
export async function leadBack<T>(
  deps: Pick<OrderDependencies, "orders" | "log">,
  orderId: string,
  by: OnBehalf,
  take: (by: OnBehalf) => Promise<T>,
): Promise<T> {
  const { cause } = await deps.orders.load(orderId);
  if (cause === undefined) return take(by);
  const { correlationId, eventId } = cause;
  return correlated(correlationId, () => {
    deps.log.info({ orderId, requestId: by.correlationId, provider: by.actor.id }, "a notice leads back");
    return take({ ...by, correlationId, causationId: eventId });
  });
}
