import { z } from "zod";
import { adoption } from "../certificates/adoption.ts";
import { birth } from "../certificates/birth.ts";
import { type FieldTable, isDate } from "../certificates/certificate.ts";
import { death } from "../certificates/death.ts";
import { marriage } from "../certificates/marriage.ts";
import { mostOrders } from "../checkout/shares.ts";
import type { DateRule } from "../forms/event-date.ts";
import { certificateTypes } from "../forms/options.ts";
import { postTo } from "../forms/personal-details.ts";

/** The answers of an unfinished order as typed, complete or not. Signature and consent are given when ordering. */

const text = z.string().max(500, "Use 500 characters or fewer");
const flag = z.boolean();
const copies = z.int().min(0).max(5);
const dateTyped = z.strictObject({ day: text, month: text, year: text });

type Typed<Fields extends FieldTable> = {
  [Name in keyof Fields]: Fields[Name]["rule"] extends DateRule ? typeof dateTyped : typeof text;
};

function typed<Fields extends FieldTable>(fields: Fields): z.ZodObject<Typed<Fields>, z.core.$strict>;
function typed(fields: FieldTable): z.ZodObject<Record<string, z.ZodType>, z.core.$strict> {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, { rule }]) => [name, isDate(rule) ? dateTyped : text]),
    ),
  );
}

/**
 * The largest draft, as JSON in UTF-8. Ten certificates whose answers are as long as the forms accept fit, in any
 * script; and what fits is never too large a body for the gateway.
 */
export const mostDraftBytes = 60_000;

const bytesIn = (answers: unknown): number => new TextEncoder().encode(JSON.stringify(answers)).length;

const certificate = z.strictObject({
  certificateType: z.enum(certificateTypes),
  certificateOptions: z.strictObject({
    fullCertificates: copies,
    shortCertificates: copies,
    isPriority: flag,
    serviceType: z.enum(["Standard", "Express"]),
    deliveryMethod: z.literal("Post"),
    apostille: flag,
  }),
  /** Of the chosen type only. */
  birth: typed(birth.fields).optional(),
  death: typed(death.fields).optional(),
  marriage: typed(marriage.fields).optional(),
  adoption: typed(adoption.fields).optional(),
});

export const savedAnswers = z
  .strictObject({
    ...certificate.shape,
    /** The other certificates of the order; absent if it is for one. */
    others: z
      .array(certificate)
      .max(mostOrders - 1)
      .optional(),
    /** How many of the others stand before the one that was open. */
    place: z
      .int()
      .min(0)
      .max(mostOrders - 1)
      .optional(),
    personalDetails: z.strictObject({
      title: text,
      firstName: text,
      lastName: text,
      companyName: text,
      email: text,
      confirmEmail: text,
      address: z.strictObject({
        line1: text,
        line2: text,
        town: text,
        county: text,
        postcode: text,
        country: text,
      }),
      phone: z.strictObject({ daytime: text, evening: text }),
      recipient: z
        .strictObject({
          postTo: z.enum(postTo),
          fullName: text,
          line1: text,
          line2: text,
          town: text,
          county: text,
          postcode: text,
        })
        .optional(),
      customerReference: text.optional(),
    }),
    /** Where to go on: 1 to 4. */
    step: z.int().min(1).max(4),
  })
  .refine(({ others = [], place = 0 }) => place <= others.length, {
    path: ["place"],
    error: "There is no such certificate",
  })
  .refine((answers) => bytesIn(answers) <= mostDraftBytes, "The answers are too long to save");
export type SavedAnswers = z.output<typeof savedAnswers>;

/**
 * The answers as saved, perhaps by an older build, whose forms asked other questions; beside them `linkSentTo`, the
 * address by which staff find it: version 1.
 */
export const draftRecord = z.record(z.string(), z.json());

const typedText = z.string().catch("");

/** The person in a sealed draft, as far as typed. */
export const personOfDraft = z
  .object({
    linkSentTo: typedText,
    personalDetails: z.object({
      title: typedText,
      firstName: typedText,
      lastName: typedText,
      email: typedText,
      address: z.object({ postcode: typedText }),
    }),
  })
  .transform(({ linkSentTo, personalDetails: { title, firstName, lastName, email, address } }) => ({
    email: linkSentTo || email,
    name: [title, firstName, lastName].filter((part) => part.trim() !== "").join(" "),
    postcode: address.postcode,
  }));

/** For the mail: version 1. */
export const draftLinkRecord = z.object({ email: z.string(), key: z.string() });
export type DraftLinkRecord = z.output<typeof draftLinkRecord>;
