import * as z from "zod/mini";
import { mostOrders } from "../../domain/checkout/shares.ts";
import * as field from "../../domain/fields.ts";
import { amount } from "../../domain/forms/order-answers.ts";
import { answers, creates, post } from "../request.ts";
import { pounds } from "../shapes.ts";
import { clientSecretAnswer, statusAnswer, statusRequest } from "./ordering.ts";

// Several orders, one payment. One order alone is paid for as in ordering.ts.

const checkoutAnswer = z
  .object({
    id: field.id,
    /** Of the orders that can still be paid for. */
    totalAmount: pounds,
    orders: z.array(z.object({ id: field.id, orderNumber: field.orderNumber, totalAmount: pounds })),
  })
  .register(z.globalRegistry, { id: "Checkout" });

const paidAnswer = z
  .object({ id: field.id, orders: z.array(statusAnswer) })
  .register(z.globalRegistry, { id: "PaidCheckout" });

const orderIds = z
  .array(z.string().check(z.regex(/^[0-9a-f-]{36}$/i, "There is no such order")), "Orders are required")
  .check(
    z.minLength(2, "A checkout has at least two orders"),
    z.maxLength(mostOrders, `A checkout has at most ${mostOrders} orders`),
  );

const openRequest = z.pipe(
  z.object({ orderIds }),
  z.transform((given) => ({ orderIds: given.orderIds.map((id) => id.toLowerCase()) })),
);

export const openCheckout = post("/api/checkouts", {
  summary: "Have several orders paid for together; the caller holds all of them",
  from: "anyone",
  limit: "commands",
  body: openRequest,
  answers: creates(checkoutAnswer),
  refuses: ["not-found", "forbidden-in-phase", "idempotency-key-reused"],
});

const intentRequest = z.pipe(
  z.object({ amount }),
  z.transform((given) => ({ amountPence: given.amount })),
);

export const payCheckout = post("/api/checkouts/{id}/payment-intent", {
  summary: "Create a payment intent at the provider for the orders of a checkout",
  from: "anyone",
  limit: "commands",
  body: intentRequest,
  answers: answers(clientSecretAnswer),
  refuses: ["not-found", "forbidden-in-phase", "wrong-amount", "payment-processing", "payments-unavailable"],
});

export const reportCheckoutPaid = post("/api/checkouts/{id}/status", {
  summary:
    "Report the payment of a checkout; the provider is asked to confirm it, and its orders are submitted",
  from: "anyone",
  limit: "commands",
  body: statusRequest,
  answers: answers(paidAnswer),
  refuses: [
    ...(["not-found", "forbidden-in-phase"] as const),
    ...(["payment-not-received", "payment-processing", "payments-unavailable"] as const),
  ],
});
