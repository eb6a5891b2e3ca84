import * as z from "zod/mini";
import { certificateTypes, country } from "../../../domain/forms/options.ts";
import { postTo } from "../../../domain/forms/personal-details.ts";
import { certificateAnswers, text } from "./certificate-answers.ts";

const count = (most: number) => z.catch(z.int().check(z.minimum(0), z.maximum(most)), 0);
const flag = z.catch(z.boolean(), false);

const recipientAnswers = z.object({
  postTo: z.catch(z.enum(postTo), "me"),
  fullName: text(),
  line1: text(),
  line2: text(),
  town: text(),
  county: text(),
  postcode: text(),
});

/** Your Details, as typed. */
export const personAnswers = z.object({
  title: text(),
  firstName: text(),
  lastName: text(),
  companyName: text(),
  email: text(),
  confirmEmail: text(),
  address: z.object({
    line1: text(),
    line2: text(),
    town: text(),
    county: text(),
    postcode: text(),
    country: text(country),
  }),
  phone: z.object({ daytime: text(), evening: text() }),
  // Absent from drafts of older pages.
  recipient: z.catch(recipientAnswers, recipientAnswers.parse({})),
  customerReference: text(),
});

/** One certificate of the order, its forms as typed. */
const certificateSchema = z.object({
  /** Random, and the same in a copied tab until one of them asks for another certificate. */
  id: text(),
  /** The customer was told of the first order and wants another copy, which is no duplicate of it. */
  isAnotherCopy: flag,
  certificateType: z.catch(z.enum(certificateTypes), "Birth"),
  certificateOptions: z.object({
    /** Full copies: 0 until a type is chosen. */
    fullCertificates: count(5),
    shortCertificates: count(5),
    isPriority: flag,
    serviceType: z.catch(z.enum(["Standard", "Express"]), "Standard"),
    deliveryMethod: z.catch(z.literal("Post"), "Post"),
    apostille: flag,
  }),
  ...certificateAnswers.shape,
});

/**
 * The order being filled in: the certificate that is answered now, and the others. Step 3's answers are kept as typed,
 * one set per form, to survive a reload; certificateDetails and eventDetails are built from them when the order is
 * created.
 */
const draftSchema = z.object({
  ...certificateSchema.shape,
  /** The other certificates of the order. Absent from drafts of older pages. */
  others: z.catch(z.array(certificateSchema), []),
  /** How many of them stand before the one that is answered now. */
  place: z.catch(z.int().check(z.minimum(0)), 0),
  personalDetails: personAnswers,
  signature: text(),
  acceptsTerms: flag,
  asksToBegin: flag,
  /** The choice changed after signing: step 4 says so until it is signed again. */
  signAgain: flag,
  /** Keys of the saved drafts that belong to this one, newest last; perhaps of one whose saving failed. */
  savedKeys: z.catch(z.array(z.string()), []),
  /** Of all certificates, in pounds. */
  total: z.catch(z.number(), 0),
  /** The last open step: 1 to 5. */
  step: z.catch(z.int().check(z.minimum(1), z.maximum(5)), 1),
});

export type PersonAnswers = z.infer<typeof personAnswers>;
export type DraftCertificate = z.infer<typeof certificateSchema>;
export type Draft = z.infer<typeof draftSchema>;
export type DraftType = Draft["certificateType"];

const absent = {
  certificateOptions: {},
  personalDetails: { address: {}, phone: {} },
};

/** A draft with defaults only. */
export const emptyDraft = (): Draft => draftSchema.parse(absent);

/** A fresh draft of one type: 1 full copy, 0 short copies, not priority. */
export function draftOf(certificateType: DraftType): Draft {
  const draft = emptyDraft();
  return {
    ...draft,
    certificateType,
    certificateOptions: { ...draft.certificateOptions, fullCertificates: 1 },
  };
}

/** Parses a stored draft; undefined if invalid. */
export function draftIn(stored: string | null): Draft | undefined {
  if (stored === null) return undefined;
  try {
    const parsed = draftSchema.safeParse(JSON.parse(stored));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Not JSON: written by something else. Start an empty draft.
    return undefined;
  }
}

/** A new draft for `?type=`, case-insensitive; undefined for an unknown type. */
export function draftAsked(asked: string): Draft | undefined {
  const wanted = asked.trim().toLowerCase();
  const type = certificateTypes.find((name) => name.toLowerCase() === wanted);
  return type && draftOf(type);
}
