import { z } from "zod";
import { type Agreement, currentConsent, currentTerms } from "../agreements.ts";
import { penceOf } from "../pricing/money.ts";
import { mostCopies } from "../pricing/price-list.ts";
import { optional, required, wholeNumber } from "./answers.ts";
import { contactAnswers, email } from "./personal-details.ts";

/** The bodies that section 7's order calls take: tolerant in what JSON may hold, strict on what is required. */

/** Pounds in JSON, as a number or its text; integer pence inside. */
const amount = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,6}(\.\d{1,2})?$/)
        .transform(Number),
    ],
    "Enter an amount in pounds",
  )
  .transform((pounds) => penceOf(pounds) ?? Number.NaN)
  .pipe(z.int("Enter an amount in pounds").min(0, "Enter an amount in pounds").max(10_000_000));

/** Contact details are sent as JSON inside a string; an object is taken too. */
function parseJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON: the text itself goes on, and the schema behind this says what it expected.
    return value;
  }
}

const contactAddress = z.preprocess(
  parseJson,
  z.object(
    {
      Address1: contactAnswers.line1,
      Address2: contactAnswers.line2,
      Town: contactAnswers.town,
      County: contactAnswers.county,
      Country: contactAnswers.country,
      PostCode: contactAnswers.postcode,
    },
    "Address is required",
  ),
);

const contactPhone = z.preprocess(
  parseJson,
  z.object({ Daytime: contactAnswers.daytime, Evening: contactAnswers.evening }, "Daytime phone is required"),
);

/** The version somebody says they agreed to: one that was ever shown, or none. A page that was open for long may show an older one. */
const versionOf = (agreement: Agreement, message: string) =>
  z
    .int(message)
    .min(1, message)
    .max(agreement.version, message)
    .nullish()
    .transform((number) => number ?? null);

/** POST /api/orders. `contact` is what the vault keeps, in section 3's keys. */
export const createOrderRequest = z
  .object({
    companyName: optional(),
    email,
    contactFullName: required("Full name is required", 210),
    contactAddress,
    contactPhone,
    totalAmount: amount,
    signature: optional(),
    termsVersion: versionOf(currentTerms, "There is no such version of the terms"),
    consentVersion: versionOf(currentConsent, "There is no such version of the consent"),
  })
  .transform(({ totalAmount, signature, termsVersion, consentVersion, ...contact }) => ({
    contact,
    signature,
    termsVersion,
    consentVersion,
    quotedTotalPence: totalAmount,
  }));

export type CreateOrderRequest = z.output<typeof createOrderRequest>;

/** The fields that the variant of every type has. */
export const variantAnswers = {
  customerFirstName: optional(100),
  customerLastName: optional(100),
  reference: optional(20),
  priorityDispatch: z.boolean().default(false),
  fullCertificateQty: wholeNumber(
    { least: 1, most: mostCopies },
    "Number of copies is required",
    "Choose 1 to 5 copies",
  ),
  shortCertificateQty: wholeNumber({ least: 0, most: mostCopies }, "Choose 0 to 5 short copies").default(0),
  deliveryMethod: z.enum(["Post"]).default("Post"),
  /** No price list has a price for one: it is refused until there is. */
  apostille: z.literal(false, "An apostille cannot be ordered").default(false),
  amount,
};

/** POST /api/create-payment-intent */
export const paymentIntentRequest = z
  .object({ amount, orderId: z.string("Order is required").regex(/^[0-9a-f-]{36}$/i, "Order is required") })
  .transform(({ amount, orderId }) => ({ amountPence: amount, orderId: orderId.toLowerCase() }));

/** POST /api/orders/{id}/status: the browser says that it paid; the provider is asked whether it did. */
export const statusRequest = z.object({
  status: z.literal("Processing", "Status can only be Processing: every other status is set automatically"),
  message: optional(500),
});

/** POST /api/orders/lookup, and the lookup form. */
export const lookupRequest = z.object({
  orderNumber: z
    .string("Order number is required")
    .trim()
    .min(1, "Order number is required")
    .max(60, "Use 60 characters or fewer"),
});
