import type { OrderCommand } from "../../domain/order/commands.ts";
import type { Order } from "../../domain/order/state.ts";
import type { Desk } from "../../services/orders/dependencies.ts";
import { tellPurged } from "./purge-fixture.ts";
import { awaitingPayment, customer } from "./use-case-fixture.ts";

/** Runs a command on an order as the customer, under a new id each time. */
export async function tell(desk: Desk, orderId: string, command: OrderCommand): Promise<Order> {
  return (await desk.orders.tell({ orderId, commandId: desk.newId(), by: customer, command })).order;
}

/** A paid order whose submission was requested. */
export async function paidOrder(desk: Desk): Promise<string> {
  const { orderId, intentId } = await awaitingPayment(desk);
  await tell(desk, orderId, { type: "ConfirmPayment", data: { intentId, amountPence: 4500 } });
  await tell(desk, orderId, { type: "RequestSubmission", data: {} });
  return orderId;
}

/** Records the outcome of the confirmation email. */
export async function recordConfirmation(
  desk: Desk,
  orderId: string,
  result: "sent" | "undeliverable",
): Promise<Order> {
  const { order } = await desk.orders.load(orderId);
  const about = order.confirmation.about ?? "";
  const data = { template: "confirmation", templateVersion: 1, about, result } as const;
  return tell(desk, orderId, { type: "RecordMail", data });
}

/** The same, confirmed, with an open attempt. */
export async function startAttempt(desk: Desk, orderId: string): Promise<void> {
  await recordConfirmation(desk, orderId, "sent");
  await tell(desk, orderId, { type: "StartSubmission", data: { attempt: 1, channel: "automation" } });
}

/** Submits the order to the GRO. */
export async function submit(desk: Desk, orderId: string): Promise<void> {
  await startAttempt(desk, orderId);
  const submittedAt = desk.now().toISOString();
  await tell(desk, orderId, {
    type: "RecordSubmission",
    data: { attempt: 1, groReferenceRef: null, submittedAt },
  });
}

/** The GRO asks a question about it. */
export const question = (desk: Desk, orderId: string): Promise<Order> =>
  tell(desk, orderId, { type: "RecordGROOutcome", data: { attempt: 1, outcome: "queried" } });

/** Purges its application. */
export async function purge(desk: Desk, orderId: string): Promise<void> {
  const records = await desk.vault.recordsOf(orderId, "application");
  await desk.vault.destroy(records.map(({ recordId }) => recordId));
  await tellPurged(desk, orderId, "application", customer);
}
