import { randomUUID } from "node:crypto";
import { openTicket } from "../../services/tickets/write-in-ticket.ts";
import { ticketBody } from "../../testing/gateway/request-bodies-fixture.ts";
import {
  awaitingPayment,
  createdOrder,
  type Ordered,
  pricedOrder,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";

/** What requests are about: an order with its holder, a conversation, a customer. */
export type Subject = {
  readonly order: Ordered;
  readonly holder: TestBrowser;
  /** Holder of another order. */
  readonly other: TestBrowser;
  readonly ticketNumber: string;
  readonly customerId: string;
};

const stages = ["created", "priced", "awaitingPayment", "paid", "submissionRequested"] as const;

/**
 * Makes anew what a route changes, and takes the rest from before.
 * @param nth decides how far the order has come
 */
export async function makeSubject(
  stack: TestStack,
  route: string,
  nth: number,
  before: Subject | undefined,
): Promise<Subject> {
  const needsOrder = /orders|payment-intent/.test(route);
  const needsCustomer = route.includes("/customers/{id}");
  const [holder, other] = [stack.browser(), before?.other ?? stack.browser()];
  if (!before) await createdOrder(other);
  return {
    ...(before && !needsOrder
      ? { order: before.order, holder: before.holder }
      : { order: await orderAt(stack, holder, stages[nth % stages.length] ?? "priced"), holder }),
    other,
    ticketNumber: before && !route.includes("{ticketNumber}") ? before.ticketNumber : await aTicket(stack),
    customerId: before && !needsCustomer ? before.customerId : await aCustomer(stack),
  };
}

const aTicket = async (stack: TestStack): Promise<string> =>
  (await stack.browser().post("/api/tickets", ticketBody())).body.ticketNumber;

async function orderAt(
  stack: TestStack,
  holder: TestBrowser,
  stage: (typeof stages)[number],
): Promise<Ordered> {
  if (stage === "created") return createdOrder(holder);
  if (stage === "priced") return pricedOrder(holder);
  const order = await awaitingPayment(holder);
  if (stage === "awaitingPayment") return order;
  stack.payments.change(order.intentId, { status: "succeeded" });
  await holder.post(`/api/orders/${order.id}/status`, { status: "Processing" });
  if (stage === "submissionRequested") await holder.post(`/api/orders/${order.id}/submit`, {});
  return order;
}

/** A customer who wrote to us, and can be found. */
async function aCustomer(stack: TestStack): Promise<string> {
  const email = `${randomUUID()}@mail.example`;
  const { ticket } = await openTicket(stack.deps, ticketRequest({ email }), null, undefined, "a-request");
  await stack.makeFindable(ticket.ticketId);
  const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
  const found = await stack
    .browser()
    .post("/api/admin/customers/search", { by: "email", typed: email }, headers);
  return found.body.customers[0].id;
}
