import type { OrderCommand } from "../../domain/order/commands.ts";
import type { Order } from "../../domain/order/state.ts";
import type { DataClass } from "../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import type { OnBehalf, OrderResult } from "../../services/orders/orders.ts";
import { endPurge, type PurgeOutcome, startPurge } from "../domain/purge-fixture.ts";
import { awaitingPayment, customer } from "./use-case-fixture.ts";

/** Runs a command on an order as the customer, under a new id each time. */
export async function execute(
  deps: OrderDependencies,
  orderId: string,
  command: OrderCommand,
): Promise<Order> {
  return (await deps.orders.execute({ orderId, commandId: deps.newId(), by: customer, command })).order;
}

/** A paid order whose submission was requested. */
export async function paidOrder(deps: OrderDependencies): Promise<string> {
  const { orderId, intentId } = await awaitingPayment(deps);
  await execute(deps, orderId, { type: "ConfirmPayment", data: { intentId, amountPence: 4500 } });
  await execute(deps, orderId, { type: "RequestSubmission", data: {} });
  return orderId;
}

/** Records the outcome of the confirmation email. */
export async function recordConfirmation(
  deps: OrderDependencies,
  orderId: string,
  result: "sent" | "refused",
): Promise<Order> {
  const { order } = await deps.orders.load(orderId);
  const about = order.confirmation.about ?? "";
  const data = { template: "confirmation", templateVersion: 1, about, result } as const;
  return execute(deps, orderId, { type: "RecordMail", data });
}

/** The same, confirmed, with an open attempt. */
export async function startAttempt(deps: OrderDependencies, orderId: string): Promise<void> {
  await recordConfirmation(deps, orderId, "sent");
  await execute(deps, orderId, { type: "StartSubmission", data: { attempt: 1, channel: "automation" } });
}

/** Submits the order to the GRO. */
export async function submit(deps: OrderDependencies, orderId: string): Promise<void> {
  await startAttempt(deps, orderId);
  const submittedAt = deps.now().toISOString();
  await execute(deps, orderId, {
    type: "RecordSubmission",
    data: { attempt: 1, groReferenceRef: null, submittedAt },
  });
}

/** The GRO asks a question about it. */
export const question = (deps: OrderDependencies, orderId: string): Promise<Order> =>
  execute(deps, orderId, {
    type: "RecordGROOutcome",
    data: { attempt: 1, outcome: "queried", questionRef: null },
  });

export async function purge(deps: OrderDependencies, orderId: string): Promise<void> {
  const records = await deps.vault.recordsOf(orderId, "application");
  await deps.vault.destroy(records.map(({ recordId }) => recordId));
  await recordPurge(deps, orderId, "application", customer);
}

/**
 * Records on an order that a class was purged under the applicable rule, or that the purge failed. Does not touch the
 * vault.
 */
export async function recordPurge(
  { orders, newId }: Pick<OrderDependencies, "orders" | "newId">,
  orderId: string,
  dataClass: DataClass,
  by: OnBehalf,
  outcome?: PurgeOutcome,
): Promise<OrderResult> {
  const { order } = await orders.load(orderId);
  const started = order.purges[dataClass].open
    ? { order }
    : await orders.execute({ orderId, commandId: newId(), by, command: startPurge(order, dataClass) });
  const command = endPurge(started.order, dataClass, outcome);
  return orders.execute({ orderId, commandId: newId(), by, command });
}
