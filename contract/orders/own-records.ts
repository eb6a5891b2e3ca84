import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { endsWithName } from "../../domain/forms/names.ts";
import { contactPhoneChange } from "../../domain/forms/order-answers.ts";
import { contactRecord, enteredApplication } from "../../domain/forms/sealed-records.ts";
import { certificateType } from "../../domain/order/vocabulary.ts";
import { answers, file, get, post, type Sent } from "../request.ts";
import { contactFields, statusAnswer } from "./ordering.ts";

export const ownApplication = enteredApplication.meta({
  id: "OwnApplication",
  description: "The application, in the shape its form accepts",
});

/** The contact details, in the shape the order form accepts. */
export const ownContact = contactRecord.meta({ id: "OwnContact" });

/**
 * Any of the contact fields of `POST /api/orders`, or none; fields and phones left out stay unchanged. A last name
 * needs its full name.
 */
export const contactRequest = z
  .partial(z.object({ ...contactFields, contactPhone: contactPhoneChange }))
  .check(
    z.refine(
      ({ contactFullName = "", contactLastName }) =>
        !contactLastName || endsWithName(contactFullName, contactLastName),
      { path: ["contactLastName"], error: "Last name must be the end of the full name" },
    ),
  );

/** Parsed later, by the schema of the order's variant. */
export const applicationRequest = z.looseObject({});

/** `replaced`: the draft changed, and a new order replaces this one. */
export const cancelOrder = post("/api/orders/{id}/cancel", {
  summary: "Cancel an order, or request cancellation",
  from: "holder",
  limit: "commands",
  body: z.object({
    reason: z._default(
      z.enum(["customerRequest", "replaced"], "Reason must be customerRequest or replaced"),
      "customerRequest",
    ),
  }),
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "payment-processing", "payments-unavailable"],
});

export const reportArrival = post("/api/orders/{id}/arrival", {
  summary: "Report that the certificate has arrived, which closes the order",
  from: "holder",
  limit: "commands",
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase"],
});

export const changeApplication = post("/api/orders/{id}/application", {
  summary: "Replace the application, or answer the GRO's question",
  from: "holder",
  limit: "commands",
  body: applicationRequest,
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "idempotency-key-reused"],
});

export const showApplication = get("/api/orders/{id}/application", {
  summary: "The application, while it can be changed; for the holder only",
  from: "holder",
  limit: "reads",
  answers: answers(ownApplication),
  refuses: ["forbidden-in-phase"],
});

export const changeContact = post("/api/orders/{id}/contact", {
  summary: "Correct the contact details",
  from: "holder",
  limit: "commands",
  body: contactRequest,
  answers: answers(statusAnswer),
  refuses: ["forbidden-in-phase", "idempotency-key-reused"],
});

export const showContact = get("/api/orders/{id}/contact", {
  summary: "The contact details; for the holder only",
  from: "holder",
  limit: "reads",
  answers: answers(ownContact),
});

export const printReceipt = get("/api/orders/{id}/receipt.pdf", {
  summary: "A receipt for the payment, its orders that the caller holds, and their refunds",
  from: "holder",
  limit: "commands",
  answers: file("application/pdf"),
  refuses: ["forbidden-in-phase"],
});

/** `contact` is null once it was destroyed. */
const anotherBegins = z
  .object({
    certificateType,
    copies: field.ordinal,
    isPriority: z.boolean(),
    contact: z.nullable(ownContact),
  })
  .register(z.globalRegistry, { id: "AnotherOrder" });

export const beginAnother = get("/api/orders/{id}/another", {
  summary: "What another order like this one begins with; for the holder only",
  from: "holder",
  limit: "reads",
  answers: answers(anotherBegins),
  refuses: ["forbidden-in-phase"],
});

export type AnotherOrder = z.output<typeof anotherBegins>;
export type ContactChange = Sent<typeof changeContact>;
export type OwnApplication = z.output<typeof ownApplication>;
export type OwnContact = z.output<typeof ownContact>;
