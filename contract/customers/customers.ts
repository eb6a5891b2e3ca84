import * as z from "zod/mini";
import { staffReason } from "../../domain/decider.ts";
import * as field from "../../domain/fields.ts";
import { required } from "../../domain/forms/answers.ts";
import { email } from "../../domain/forms/personal-details.ts";
import { tidyPostcode } from "../../domain/forms/postcode.ts";
import { orderStatuses } from "../../domain/order/status.ts";
import { certificateType, revealReason, serviceLevel } from "../../domain/order/vocabulary.ts";
import { ticketCategory, ticketStatus } from "../../domain/ticket/vocabulary.ts";
import { answers, file, get, post, staff } from "../request.ts";
import { customerRule } from "../shapes.ts";

export const heldShown = z
  .discriminatedUnion("state", [
    z.object({ state: z.literal("none") }),
    z.object({ state: z.literal("destroyed"), at: field.instant, rule: customerRule }),
    z.object({ state: z.literal("due"), until: field.instant, rule: customerRule }),
    z.object({
      state: z.literal("needed"),
      for: z.enum(["order", "refund", "dispute", "mail", "conversation"]),
    }),
  ])
  .register(z.globalRegistry, { id: "HeldData" });

const outcomeShown = z
  .discriminatedUnion("outcome", [
    z.object({ outcome: z.literal("erased") }),
    z.object({ outcome: z.literal("set"), until: field.instant, because: z.string() }),
    z.object({ outcome: z.literal("gone") }),
    z.object({ outcome: z.literal("kept"), because: z.string(), ground: z.string() }),
  ])
  .register(z.globalRegistry, { id: "ErasureOutcome" });

export const orderShown = z.object({
  id: z.string(),
  orderNumber: field.orderNumber,
  status: z.enum(orderStatuses),
  createdAt: field.instant,
  certificateType: z.nullable(certificateType),
  copies: z.nullable(z.int()),
  serviceLevel: z.nullable(serviceLevel),
  totalPence: z.int(),
  application: heldShown,
  contact: heldShown,
  erasureRequestedAt: z.nullable(field.instant),
  erasure: z.object({ application: outcomeShown, contact: outcomeShown }),
});

export const ticketShown = z.object({
  id: z.string(),
  ticketNumber: field.ticketNumber,
  category: ticketCategory,
  status: ticketStatus,
  openedAt: field.instant,
  linkedOrderNumber: z.nullable(field.orderNumber),
  texts: heldShown,
  erasureRequestedAt: z.nullable(field.instant),
  erasure: outcomeShown,
});

/** An unfinished order that the customer saved. It ends at once on an erasure request. */
const draftShown = z.object({
  id: z.string(),
  savedAt: field.instant,
  expiresAt: field.instant,
  endedAt: z.nullable(field.instant),
});

/** Masked. */
export const customerAnswer = z
  .object({
    id: z.string(),
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    orders: z.array(orderShown),
    tickets: z.array(ticketShown),
    drafts: z.array(draftShown),
    more: z.boolean(),
  })
  .register(z.globalRegistry, { id: "Customer" });

export const candidatesAnswer = z
  .object({ customers: z.array(customerAnswer), more: z.boolean() })
  .register(z.globalRegistry, { id: "FoundCustomers" });

export const whoItIsAnswer = z
  .object({
    from: z.object({ kind: z.enum(["order", "ticket", "draft"]), number: z.nullable(z.string()) }),
    name: z.string(),
    email: z.string(),
    company: z.nullable(z.string()),
    address: z.nullable(
      z.object({
        line1: z.string(),
        line2: z.string(),
        town: z.string(),
        county: z.string(),
        postcode: z.string(),
        country: z.string(),
      }),
    ),
    phone: z.nullable(z.object({ daytime: z.string(), evening: z.string() })),
  })
  .register(z.globalRegistry, { id: "WhoACustomerIs" });

const mostLetters = 210;

/** Searches by one detail the customer gave. It travels in the body: URLs and logs never hold it. */
export const customerSearch = z.discriminatedUnion(
  "by",
  [
    z.object({ by: z.literal("email"), typed: email }),
    z.object({ by: z.literal("surname"), typed: required("Enter a surname", mostLetters) }),
    z.object({ by: z.literal("postcode"), typed: required("Enter a postcode", 20).transform(tidyPostcode) }),
  ],
  "Choose what to search by",
);

/** Limited like the lookups, against enumeration. */
export const searchCustomers = post("/api/admin/customers/search", {
  summary: "Find customers by email address, surname or postcode",
  from: staff,
  limit: "lookups",
  body: customerSearch,
  answers: answers(candidatesAnswer),
});

export const showCustomer = get("/api/admin/customers/{id}", {
  summary: "A customer, masked",
  from: staff,
  limit: "reads",
  answers: answers(customerAnswer),
  refuses: ["not-found"],
});

export const revealCustomer = post("/api/admin/customers/{id}/reveal", {
  summary: "Reveal a customer's identity; the access is recorded",
  from: staff,
  limit: "commands",
  body: z.object({ reason: z.enum(revealReason.options, "Choose a reason") }),
  answers: answers(whoItIsAnswer),
  refuses: ["not-found", "personal-data-destroyed"],
});

/** PDF to read, or JSON for another system. */
export const exportCustomer = post("/api/admin/customers/{id}/export", {
  summary: "Export everything held about a customer, as a file for them",
  from: staff,
  limit: "commands",
  withinSeconds: 60,
  body: z.object({ format: z.enum(["pdf", "json"], "Choose PDF or JSON") }),
  answers: file("application/pdf", "application/json"),
  refuses: ["not-found"],
});

export const eraseCustomer = post("/api/admin/customers/{id}/erase", {
  summary: "Request erasure of everything held about a customer",
  from: staff,
  limit: "commands",
  withinSeconds: 60,
  body: z.object({ reason: z.enum(staffReason.options, "Choose a reason") }),
  answers: answers(customerAnswer),
  refuses: ["not-found"],
});

export type Customer = z.output<typeof customerAnswer>;
export type CustomerOrder = z.output<typeof orderShown>;
export type CustomerTicket = z.output<typeof ticketShown>;
export type Outcome = z.output<typeof outcomeShown>;
export type FoundCustomers = z.output<typeof candidatesAnswer>;
export type RevealedCustomer = z.output<typeof whoItIsAnswer>;
