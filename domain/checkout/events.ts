import { z } from "zod";
import { eventSchema, versionOne } from "../decider.ts";
import * as field from "../fields.ts";
import { gatheredTemplate } from "../order/vocabulary.ts";
import { mostOrders } from "./shares.ts";

/** Every fact of a checkout: some orders that are paid for together. Past tense, never changed. */

/** The orders in the sequence in which the customer chose them. */
const opened = { checkoutId: field.id, orderIds: z.array(field.id).min(2).max(mostOrders) };

const shares = z
  .array(z.strictObject({ orderId: field.id, amountPence: field.pence }))
  .min(1)
  .max(mostOrders);

/** What each order is to have of the payment. An order that is over by then has none. */
const requested = { intentId: field.providerId, attempt: field.ordinal, shares };

/** One order's confirmation tells of others that the same payment pays for. */
const spoken = { orderId: field.id, orderIds: z.array(field.id).min(1).max(mostOrders) };

/** One order's mail tells of the same event of others: `about` is the id of each order's own event. */
const told = {
  template: gatheredTemplate,
  orderId: field.id,
  mails: z
    .array(z.strictObject({ orderId: field.id, about: field.id }))
    .min(1)
    .max(mostOrders),
};

/** What a refund made by hand at the provider, or a dispute, takes from each order. */
const returned = { returnId: field.providerId, shares };

/** The schema of each event's data, with its current version. */
export const checkoutEventSchemas = {
  CheckoutOpened: versionOne(z.strictObject(opened)),
  IntentRequested: versionOne(z.strictObject(requested)),
  /** Before the mail is sent: what it tells of does not change while it is on its way. */
  ConfirmationPrepared: versionOne(z.strictObject(spoken)),
  /** Likewise, of every other mail that may tell of several orders. */
  MailPrepared: versionOne(z.strictObject(told)),
  /** Before the orders record it: all reports of it are divided alike. Again when its amount changes. */
  ReturnDivided: versionOne(z.strictObject(returned)),
};

/** The schema of each command's data. */
const checkoutCommandSchemas = {
  OpenCheckout: z.strictObject(opened),
  RequestIntent: z.strictObject(requested),
  PrepareConfirmation: z.strictObject(spoken),
  PrepareMail: z.strictObject(told),
  DivideReturn: z.strictObject(returned),
};

type Of<Schemas extends Record<string, z.ZodType>> = {
  [Type in keyof Schemas]: { readonly type: Type; readonly data: z.infer<Schemas[Type]> };
}[keyof Schemas];

type DataSchemas = {
  [Type in keyof typeof checkoutEventSchemas]: (typeof checkoutEventSchemas)[Type]["data"];
};

export type CheckoutEventData<Type extends CheckoutEvent["type"]> = Extract<
  CheckoutEvent,
  { readonly type: Type }
>["data"];

export type CheckoutEvent = Of<DataSchemas>;
export type CheckoutCommand = Of<typeof checkoutCommandSchemas>;

/** Parses an event of the log. */
export const checkoutEventSchema = eventSchema<CheckoutEvent>(checkoutEventSchemas);

export const checkoutStream = (checkoutId: string): string => `checkout-${checkoutId}`;
