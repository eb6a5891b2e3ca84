import { z } from "zod";
import { penceOf } from "../pricing/money.ts";
import { mostCopies } from "../pricing/price-list.ts";
import { optional, wholeNumber } from "./answers.ts";
import { contactAnswers, recipientAnswers } from "./personal-details.ts";

/** Answers shared by section 7's order requests: tolerant of JSON types, strict on required fields. */

/** Pounds in JSON, as a number or its text; integer pence inside. */
export const amount = z
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

/** Contact details are sent as JSON inside a string; an object is accepted too. */
function parseJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON: pass the text on; the next schema reports what it expected.
    return value;
  }
}

type AddressAnswers = Omit<typeof recipientAnswers, "fullName">;

const addressObject = ({ line1, line2, town, county, country, postcode }: AddressAnswers, message: string) =>
  z.object(
    { Address1: line1, Address2: line2, Town: town, County: county, Country: country, PostCode: postcode },
    message,
  );

export const contactAddress = z.preprocess(parseJson, addressObject(contactAnswers, "Address is required"));

/** The recipient of the certificate, if not the customer; else null or absent. */
export const recipient = z
  .object(
    {
      fullName: recipientAnswers.fullName,
      address: addressObject(recipientAnswers, "Recipient’s address is required"),
    },
    "Recipient’s name and address are required",
  )
  .nullish();

const { daytime: Daytime, evening: Evening } = contactAnswers;

export const contactPhone = z.preprocess(
  parseJson,
  z.object({ Daytime, Evening }, "Daytime phone is required"),
);

/** In a correction: a phone that is left out stays as it is. */
export const contactPhoneChange = z.preprocess(
  parseJson,
  z.object(
    { Daytime: Daytime.exactOptional(), Evening: Evening.exactOptional() },
    "Daytime phone is required",
  ),
);

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
  /** Refused, because no price list has a price for it. */
  apostille: z.literal(false, "An apostille cannot be ordered").default(false),
  amount,
};
