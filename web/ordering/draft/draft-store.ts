import { certificateDetailsOf, eventDetailsOf } from "../../../domain/certificates/payload.ts";
import { sharedAnswers, validDetails } from "./certificate-answers.ts";
import { type Draft, draftIn, emptyDraft } from "./draft.ts";

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

/** The part of `sessionStorage` used: separate for each tab, and kept across reloads and redirects. */
type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const key = "order-draft";

/** Holds the draft of this tab, in memory and in the given storage. `today` is the day in London. */
export function createDraftStore(storage: DraftStorage, today: () => string) {
  let draft = draftIn(storage.getItem(key)) ?? emptyDraft();
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
      const next = withoutOutdatedSignature(draft, { ...draft, ...part });
      storage.setItem(key, JSON.stringify(storedDraft(next, today())));
      change(next);
    },
    /** Deletes all input. */
    reset(): void {
      storage.removeItem(key);
      change(emptyDraft());
    },
    /** Sets the total, in pounds. */
    setTotal(total: number): void {
      if (draft.total !== total) this.update({ total });
    },
  };
}
