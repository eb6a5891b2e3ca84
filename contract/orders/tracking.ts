import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { email } from "../../domain/forms/personal-details.ts";
import { unreachedBy } from "../../domain/order/mail-rules.ts";
import { certificateType } from "../../domain/order/vocabulary.ts";
import { answers, events, file, get, nothing, post } from "../request.ts";
import { pounds, promiseShown, receiptShown } from "../shapes.ts";
import { ids, status } from "./ordering.ts";

export const orderAnswer = z
  .object({ ...ids, reference: field.reference, status, createdAt: field.instant, totalAmount: pounds })
  .register(z.globalRegistry, { id: "Order" });

/** For the order's holder only: null for others, where there is none, and once destroyed. */
const forHolder = {
  /** The recipient of the certificate, if not the customer. */
  recipientName: z.nullable(z.string()),
  customerReference: z.nullable(z.string()),
  /** The others that were to be paid for together with it; none for others than its holder. */
  orderedTogether: z.array(z.object({ orderNumber: field.orderNumber })),
};

export const contactLookupAnswer = z
  .object({
    orderNumber: field.orderNumber,
    status,
    createdAt: field.instant,
    totalAmount: pounds,
    promise: z.nullable(promiseShown),
    contactFullName: z.nullable(z.string()),
    email: z.nullable(z.string()),
    ...forHolder,
    holder: z.boolean(),
  })
  .register(z.globalRegistry, {
    id: "OrderContactLookup",
    description:
      "Name and email address are masked except for the order's holder, and null once destroyed; recipient and reference are for the holder only",
  });

/** The days that follow from a despatch, in London. */
const despatchShown = z.object({
  despatchedOn: field.date,
  arrivalBy: field.date,
  /** From this day on the GRO can be asked to send another; null once the arrival is reported or money refunded. */
  missingFrom: z.nullable(field.date),
  closesOn: field.date,
  /** When the customer reported the arrival. */
  arrivedOn: z.nullable(field.date),
});

export const lookupAnswer = z
  .object({
    id: z.nullable(field.id),
    orderNumber: field.orderNumber,
    status,
    createdAt: field.instant,
    total: pounds,
    items: z.array(z.string()),
    statusHistory: z.array(z.object({ status, text: z.string(), timestamp: field.instant })),
    lastUpdated: field.instant,
    promise: z.nullable(promiseShown),
    receipt: z.nullable(receiptShown),
    holder: z.boolean(),
    certificateType: z.nullable(certificateType),
    canCancel: z.boolean(),
    canAmend: z.boolean(),
    question: z.boolean(),
    /** What the GRO asks, for the order's holder only: null for others, and without a text. */
    questionText: z.nullable(z.string()),
    cancellationRequested: z.boolean(),
    /**
     * What did not reach the holder by email: the confirmation that the order waits for, or another mail. Null for
     * others, and if everything did.
     */
    unreachedBy: z.nullable(z.enum(unreachedBy)),
    contactChange: z.nullable(z.enum(["all", "reach"])),
    /** Null before the despatch of the certificate, and for orders that ended otherwise. */
    despatch: z.nullable(despatchShown),
    canReportArrival: z.boolean(),
    ...forHolder,
  })
  .register(z.globalRegistry, {
    id: "OrderLookup",
    description: "What anyone who knows an order's number can see",
  });

/** Sent with each event about an order: the log position, to be sent back as `Read-After`. */
const orderUpdate = z.object({ position: z.string() }).register(z.globalRegistry, { id: "OrderUpdate" });

/** The two parts of an emailed link. */
const accessRequest = z.object({
  orderNumber: z
    .string("Order number is required")
    .check(z.trim(), z.minLength(1, "Order number is required"), z.maxLength(60)),
  key: z.string("Key is required").check(z.trim(), z.minLength(1, "Key is required"), z.maxLength(60)),
});

export const lookUpContact = get("/api/orders/lookup/{orderNumber}", {
  summary: "An order by its number, with masked contact details",
  from: "anyone",
  limit: "guesses",
  answers: answers(contactLookupAnswer),
  refuses: ["not-found"],
});

export const followOrder = get("/api/orders/lookup/{orderNumber}/updates", {
  summary: "Follow an order live",
  from: "anyone",
  limit: "guesses",
  answers: events(
    orderUpdate,
    "An event named `changed` when the order changed; its id goes back as Last-Event-ID",
  ),
  refuses: ["not-found", "busy"],
});

export const showDeletionProof = get("/api/orders/lookup/{orderNumber}/order.tlog-proof", {
  summary: "The proof that an order's deletion is on record in the transparency log (C2SP tlog-proof)",
  from: "anyone",
  limit: "guesses",
  answers: file("text/plain"),
  refuses: ["not-found", "proof-not-ready"],
});

const lookupRequest = z.object({
  orderNumber: z
    .string("Order number is required")
    .check(
      z.trim(),
      z.minLength(1, "Order number is required"),
      z.maxLength(60, "Use 60 characters or fewer"),
    ),
});

export const lookUpOrder = post("/api/orders/lookup", {
  summary: "Track an order by its number",
  from: "anyone",
  limit: "guesses",
  body: lookupRequest,
  answers: answers(lookupAnswer),
  refuses: ["not-found"],
});

export const enterByLink = post("/api/orders/access", {
  summary: "Exchange the key in an emailed link for the order's cookie",
  from: "anyone",
  limit: "guesses",
  body: accessRequest,
  answers: answers(orderAnswer),
  refuses: ["not-found", "link-expired"],
});

/** Also checks the form. */
const orderLinksRequest = z.object({ email });

export const mailOrderLinks = post("/api/orders/links", {
  summary: "Email links to the orders of an address; the answer is the same where there are none",
  from: "anyone",
  limit: "links",
  body: orderLinksRequest,
  answers: nothing,
});

export const showOrder = get("/api/orders/{id}", {
  summary: "An order in brief",
  from: "holder",
  limit: "reads",
  answers: answers(orderAnswer),
});

export type TrackedOrder = z.output<typeof lookupAnswer>;
export type DeletionReceipt = z.output<typeof receiptShown>;
export type ConfirmedOrder = z.output<typeof contactLookupAnswer>;
