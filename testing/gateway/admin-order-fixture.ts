import { randomUUID } from "node:crypto";
import type { OrderCommand } from "../../domain/order/commands.ts";
import type { Order } from "../../domain/order/state.ts";
import type { Role } from "../../services/identity/session-token.ts";
import type { OnBehalf, OrderResult } from "../../services/orders/orders.ts";
import { destroyedOf } from "../domain/purge-fixture.ts";
import { recordPurge } from "../services/paid-order-fixture.ts";
import { awaitingPayment, type TestStack } from "./stack-fixture.ts";
import type { Reply } from "./test-browser.ts";

/** Orders for the back office, each made by commands, and calls by role. */

/** Requests by a member of staff, without customer cookies. */
export type StaffBrowser = {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
};

/** A person with a role, identified by name. Each call uses a new token, because one lasts only a minute. */
export async function staffBrowser(
  stack: TestStack,
  role: Role = "staff",
  name = "colleague",
): Promise<StaffBrowser> {
  const authorization = async () => ({ Authorization: `Bearer ${await stack.token(role, name)}` });
  await authorization();
  return {
    get: async (path, headers = {}) => stack.browser().get(path, { ...(await authorization()), ...headers }),
    post: async (path, body, headers = {}) =>
      stack.browser().post(path, body, { ...(await authorization()), ...headers }),
  };
}

/** Runs a command on an order, like a policy or a provider. */
export async function execute(
  stack: TestStack,
  orderId: string,
  command: OrderCommand,
): Promise<OrderResult> {
  return stack.deps.orders.execute({ orderId, commandId: randomUUID(), by: bySystem(), command });
}

/** On behalf of the system. */
export const bySystem = (): OnBehalf => ({
  actor: { kind: "system", id: "policies" },
  correlationId: randomUUID(),
});

/** An order in the back office, with its path. */
export type StaffOrder = { readonly id: string; readonly orderNumber: string; readonly path: string };

/** With the intent of its payment. */
export type PaidOrder = StaffOrder & { readonly intentId: string };

const staffOrder = ({ id, orderNumber }: { id: string; orderNumber: string }): StaffOrder => ({
  id,
  orderNumber,
  path: `/api/admin/orders/${orderNumber}`,
});

/** Paid by card, with submission requested but not started. */
export async function paidOrder(
  stack: TestStack,
  holder = stack.browser(),
  changes: Record<string, unknown> = {},
): Promise<PaidOrder> {
  const { id, orderNumber, intentId } = await awaitingPayment(holder, changes);
  await execute(stack, id, { type: "ConfirmPayment", data: { intentId, amountPence: 4500 } });
  await execute(stack, id, { type: "RequestSubmission", data: {} });
  return { ...staffOrder({ id, orderNumber }), intentId };
}

/** The same, confirmed: ready to be submitted. */
export async function confirmedOrder(stack: TestStack, holder = stack.browser()): Promise<PaidOrder> {
  const order = await paidOrder(stack, holder);
  const { confirmation } = await load(stack, order.id);
  const about = confirmation.about ?? "";
  const data = { template: "confirmation", templateVersion: 1, about, result: "sent" } as const;
  await execute(stack, order.id, { type: "RecordMail", data });
  return order;
}

/** The same, with an automatic attempt open. */
export async function submittingOrder(stack: TestStack, holder = stack.browser()): Promise<PaidOrder> {
  const order = await confirmedOrder(stack, holder);
  await execute(stack, order.id, { type: "StartSubmission", data: { attempt: 1, channel: "automation" } });
  return order;
}

/** The same, submitted to the GRO. */
export async function submittedOrder(stack: TestStack, holder = stack.browser()): Promise<PaidOrder> {
  const order = await submittingOrder(stack, holder);
  const submittedAt = stack.deps.now().toISOString();
  await execute(stack, order.id, {
    type: "RecordSubmission",
    data: { attempt: 1, groReferenceRef: null, submittedAt },
  });
  return order;
}

/** The same, with its application purged. */
export async function purgedOrder(stack: TestStack, holder = stack.browser()): Promise<PaidOrder> {
  const order = await submittedOrder(stack, holder);
  await purgeApplication(stack, order.id);
  return order;
}

/** Purges the application, like the purge job. */
export async function purgeApplication(stack: TestStack, orderId: string): Promise<void> {
  const records = await stack.vault.recordsOf(orderId, "application");
  const { keyFingerprint, probe } = await stack.vault.destroy(records.map(({ recordId }) => recordId));
  const receipt = { keyFingerprint, probe, records: records.length };
  await recordPurge(stack.deps, orderId, "application", bySystem(), {
    ...destroyedOf("application"),
    ...receipt,
  });
}

/** The order as it stands. */
export const load = async (stack: TestStack, orderId: string): Promise<Order> =>
  (await stack.deps.orders.load(orderId)).order;
