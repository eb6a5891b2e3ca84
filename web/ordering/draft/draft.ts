import * as z from "zod/mini";
import { certificateDetailsOf, eventDetailsOf } from "../../../domain/certificates/payload.ts";
import { certificateTypes, country } from "../../../domain/forms/options.ts";
import { personalDetailsSchema, postTo } from "../../../domain/forms/personal-details.ts";
import { otherOfficeFor, phoneFor } from "../../../domain/forms/registration-office.ts";
import { certificateAnswers, sharedAnswers, text, validDetails } from "./certificate-answers.ts";

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

/**
 * The order being filled in. Step 3's answers are kept as typed, one set per form, to survive a reload;
 * certificateDetails and eventDetails are built from them when the order is created.
 */
const draftSchema = z.object({
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
  personalDetails: personAnswers,
  ...certificateAnswers.shape,
  signature: text(),
  acceptsTerms: flag,
  asksToBegin: flag,
  /** The choice changed after signing: step 4 says so until it is signed again. */
  signAgain: flag,
  /** Keys of the saved drafts that belong to this one, newest last; perhaps of one whose saving failed. */
  savedKeys: z.catch(z.array(z.string()), []),
  /** Pounds. */
  total: z.catch(z.number(), 0),
  /** The last open step: 1 to 5. */
  step: z.catch(z.int().check(z.minimum(1), z.maximum(5)), 1),
});

export type PersonAnswers = z.infer<typeof personAnswers>;
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

/**
 * The stored draft: the fields of the specification's order draft, and the typed answers from which the draft is
 * restored. certificateDetails and eventDetails are empty until step 3 is complete.
 * @param today the day in London
 */
function storedDraft(draft: Draft, today: string) {
  const valid = validDetails(draft, today);
  const { groReference } = sharedAnswers(draft);
  const { fullCertificates: fullCopies, shortCertificates: shortCopies } = draft.certificateOptions;
  return {
    ...draft,
    certificateDetails: valid
      ? certificateDetailsOf(valid.type, valid.details, { fullCopies, shortCopies })
      : {},
    eventDetails: valid ? eventDetailsOf(valid.type, valid.details) : {},
    groReference,
    applyingForOwn: draft.certificateType === "Birth" && draft.birth.applyingForOwn === "yes",
    adopted: draft.certificateType === "Adoption" || draft.birth.adopted === "yes",
  };
}

/** The signed choice: certificate, copies, service level and price. */
const signedFor = ({ certificateType, certificateOptions: options, total }: Draft): string =>
  [certificateType, options.fullCertificates, options.shortCertificates, options.isPriority, total].join();

const hasBegunSigning = ({ signature, acceptsTerms, asksToBegin }: Draft): boolean =>
  signature.trim() !== "" || acceptsTerms || asksToBegin;

/**
 * Signature and ticks apply to one choice at one price: if either changes, they are requested again.
 */
function withoutOutdatedSignature(before: Draft, after: Draft): Draft {
  const begun = hasBegunSigning(before) && hasBegunSigning(after);
  if (!begun || signedFor(before) === signedFor(after)) return after;
  return { ...after, signature: "", acceptsTerms: false, asksToBegin: false, signAgain: true };
}

/** The certificate asked for, as text: its type and the answers of its form. */
const certificateIn = (draft: Draft): string =>
  JSON.stringify([
    draft.certificateType,
    // Parsed, which puts the fields in order.
    sharedAnswers({ ...certificateAnswers.parse(draft), certificateType: draft.certificateType }),
  ]);

/** The part of `sessionStorage` used: separate for each tab, and kept across reloads and redirects. */
type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const storageKey = "order-draft";

/** Holds the draft of this tab, in memory and in the given storage. `today` is the day in London. */
export function createDraftStore(storage: DraftStorage, today: () => string, newId: () => string) {
  let draft = draftIn(storage.getItem(storageKey)) ?? emptyDraft();
  const listeners = new Set<() => void>();
  const change = (next: Draft): void => {
    draft = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Draft => draft,
    /** Changes the given parts; clears the signature if the choice changed. */
    update(part: Partial<Draft>): void {
      const changed = withoutOutdatedSignature(draft, { ...draft, ...part });
      const isSame = changed.id !== "" && certificateIn(changed) === certificateIn(draft);
      const next = isSame ? changed : { ...changed, id: newId(), isAnotherCopy: false };
      storage.setItem(storageKey, JSON.stringify(storedDraft(next, today())));
      change(next);
    },
    /** Deletes all input. */
    reset(): void {
      storage.removeItem(storageKey);
      change(emptyDraft());
    },
    /** Another copy of the same certificate is a draft of its own. */
    renew(): void {
      this.update({ id: newId(), isAnotherCopy: true });
    },
    /** Sets the total, in pounds. */
    setTotal(total: number): void {
      if (draft.total !== total) this.update({ total });
    },
  };
}

/** The steps of the wizard, in order. */
export const stepNames = [
  "Select Document",
  "Your Details",
  "Certificate Details",
  "Review & Sign",
  "Payment",
] as const;

/** Whether step 3 is complete and we can order the certificate. `today` is the day in London. */
function hasCertificateDetails(draft: Draft, today: string): boolean {
  const { details } = validDetails(draft, today) ?? {};
  return details !== undefined && !otherOfficeFor(details.registrationLocation) && !phoneFor(details);
}

/** Whether step 4 is signed and both boxes are ticked. */
const isSigned = (draft: Draft): boolean =>
  draft.acceptsTerms && draft.asksToBegin && draft.signature.trim() !== "";

/** The furthest step that can be opened: all earlier ones are complete. */
export function furthestStep(draft: Draft, today: string): number {
  if (draft.certificateOptions.fullCertificates === 0) return 1;
  if (!personalDetailsSchema.safeParse(draft.personalDetails).success) return 2;
  if (!hasCertificateDetails(draft, today)) return 3;
  return isSigned(draft) ? 5 : 4;
}
