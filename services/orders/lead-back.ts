import { correlated } from "../../infra/telemetry/tracing/tracing.ts";
import type { OrderDependencies } from "./dependencies.ts";
import type { OnBehalf } from "./orders.ts";

/**
 * Records a provider's report under the request that led to it, so one request id connects the customer's click, the
 * provider's work and the report. The provider's own request id is logged with it.
 * @throws Refused `unknown-order`, and any error of `take`
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
