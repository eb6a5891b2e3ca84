import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { type Agreement, currentConsent, currentTerms } from "../../domain/forms/agreements.ts";
import { optional, required } from "../../domain/forms/answers.ts";
import { amount, contactAddress, contactPhone, recipient } from "../../domain/forms/order-answers.ts";
import { customerReference, email } from "../../domain/forms/personal-details.ts";
import { contactGiven } from "../../domain/forms/sealed-records.ts";
import { type VariantRequest, variantRequest } from "../../domain/forms/variant-request.ts";
import { orderStatuses } from "../../domain/order/status.ts";
import { answers, creates, post, type Schema } from "../request.ts";
import { draftKeys } from "../shapes.ts";

export const ids = { id: field.id, orderNumber: field.orderNumber };

export const status = z.enum(orderStatuses);

/** What a command on an order answers. */
export const statusAnswer = z.object({ ...ids, status }).register(z.globalRegistry, { id: "OrderStatus" });

export const createdAnswer = z
  .object({ ...ids, reference: field.reference })
  .register(z.globalRegistry, { id: "CreatedOrder" });

/** Mounts the provider's payment form. */
export const clientSecretAnswer = z
  .object({ clientSecret: z.string() })
  .register(z.globalRegistry, { id: "ClientSecret" });

/** The version a customer agreed to, if any. Older versions are accepted: a page may have been open for long. */
const versionOf = (agreement: Agreement, message: string) =>
  z.pipe(
    z.nullish(z.int(message).check(z.minimum(1, message), z.maximum(agreement.version, message))),
    z.transform((number) => number ?? null),
  );

export const contactFields = {
  companyName: optional(),
  email,
  contactFullName: required("Full name is required", 210),
  contactLastName: optional(100),
  contactAddress,
  contactPhone,
  recipient,
  customerReference,
};

/** `contact` is the vault's record, under the keys of the specification's section 3. */
export const createOrderRequest = z.pipe(
  z.object({
    ...contactFields,
    totalAmount: amount,
    signature: optional(),
    termsVersion: versionOf(currentTerms, "There is no such version of the terms"),
    consentVersion: versionOf(currentConsent, "There is no such version of the consent"),
    /** The keys of the saved drafts that this order completes: they end once it is paid. */
    savedDrafts: z._default(draftKeys, []),
    /**
     * Random, and the same in each order from a copy of the draft: staff see that they may be duplicates. Without it
     * the order is compared with no other, as where the customer wants another copy.
     */
    draftId: optional(100),
  }),
  z.transform(
    ({ totalAmount, signature, termsVersion, consentVersion, savedDrafts, draftId, ...contact }) => ({
      contact: contactGiven(contact),
      savedDrafts,
      draftId,
      signature,
      termsVersion,
      consentVersion,
      quotedTotalPence: totalAmount,
    }),
  ),
);
export type CreateOrderRequest = z.output<typeof createOrderRequest>;

export const openOrder = post("/api/orders", {
  summary: "Create an order; the caller becomes its holder",
  from: "anyone",
  limit: "commands",
  body: createOrderRequest,
  answers: creates(createdAnswer),
  refuses: ["impossible-quote", "idempotency-key-reused"],
});

export const chooseVariant = post("/api/orders/{id}/variants", {
  summary: "Choose the certificate of an order",
  from: "holder",
  limit: "commands",
  body: ({ today, orderableTypes }): Schema<VariantRequest> => variantRequest(today, orderableTypes),
  answers: creates(statusAnswer),
  refuses: ["forbidden-in-phase", "wrong-amount", "idempotency-key-reused"],
});

const paymentIntentRequest = z.pipe(
  z.object({
    amount,
    orderId: z.string("Order is required").check(z.regex(/^[0-9a-f-]{36}$/i, "Order is required")),
  }),
  z.transform(({ amount, orderId }) => ({ amountPence: amount, orderId: orderId.toLowerCase() })),
);

export const createPaymentIntent = post("/api/create-payment-intent", {
  summary: "Create a payment intent at the provider for one order",
  from: "holder",
  limit: "commands",
  body: paymentIntentRequest,
  answers: answers(clientSecretAnswer),
  refuses: ["forbidden-in-phase", "wrong-amount", "payments-unavailable"],
});

export const statusRequest = z.object({
  status: z.literal("Processing", "Status can only be Processing: every other status is set automatically"),
  message: optional(500),
});

export const reportPaid = post("/api/orders/{id}/status", {
  summary: "Report the payment of an order; the provider is asked to confirm it",
  from: "holder",
  limit: "commands",
  body: statusRequest,
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "payment-not-received", "payment-processing", "payments-unavailable"],
});

export const submitOrder = post("/api/orders/{id}/submit", {
  summary: "Request submission of a paid order",
  from: "holder",
  limit: "commands",
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "payment-not-received", "payment-processing", "payments-unavailable"],
});
