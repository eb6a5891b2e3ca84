import { certificateDetailsOf, eventDetailsOf } from "../../../domain/certificates/payload.ts";
import {
  certificatesOf,
  currentOf,
  withCertificate,
  withCertificates,
  withOnly,
  withOpen,
  withoutCertificate,
} from "./basket.ts";
import { certificateAnswers, sharedAnswers, validDetails } from "./certificate-answers.ts";
import { type Draft, type DraftCertificate, type DraftType, draftIn, draftOf, emptyDraft } from "./draft.ts";

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

/** The signed choice: each certificate, its copies and service level, and the price. */
const signedFor = (draft: Draft): string => [...certificatesOf(draft).map(choiceIn), draft.total].join();

const choiceIn = ({ certificateType, certificateOptions: options }: DraftCertificate): string =>
  [certificateType, options.fullCertificates, options.shortCertificates, options.isPriority].join();

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
const certificateIn = (draft: DraftCertificate): string =>
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
  const keep = (changed: Draft): void => {
    const next = withoutOutdatedSignature(draft, changed);
    storage.setItem(storageKey, JSON.stringify(storedDraft(next, today())));
    change(next);
  };
  /** Those of a saved draft have none yet. */
  const withIds = (given: Draft): Draft => ({
    ...given,
    others: given.others.map((other) => (other.id === "" ? { ...other, id: newId() } : other)),
  });
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Draft => draft,
    /** Changes the given parts; clears the signature if the choice changed. */
    update(part: Partial<Draft>): void {
      const changed = withIds({ ...draft, ...part });
      const isSame = changed.id !== "" && certificateIn(changed) === certificateIn(draft);
      keep(isSame ? changed : { ...changed, id: newId(), isAnotherCopy: false });
    },
    /** Puts the certificate aside, and starts another one. */
    add(certificateType: DraftType): void {
      const fresh = { ...draftOf(certificateType), id: newId() };
      keep(withCertificate(draft, currentOf(fresh), draft.others.length + 1));
    },
    /** Opens the certificate at a place instead of the one that is open. */
    open: (place: number): void => keep(withOpen(draft, place)),
    /** Takes out the certificate at a place. The only one stays. */
    remove: (place: number): void => keep(withoutCertificate(draft, place)),
    /** Takes out every certificate about which nothing was answered. The only one stays. */
    removeUnanswered(): void {
      const answered = withOnly(draft, (certificate) => {
        const { certificateType } = certificate;
        return certificateIn(certificate) !== certificateIn(draftOf(certificateType));
      });
      if (answered !== draft) keep(answered);
    },
    /** Puts a certificate that was taken out where it stood. */
    putBack(certificate: DraftCertificate, place: number): void {
      const open = draft.place + (place <= draft.place ? 1 : 0);
      keep(withOpen(withCertificate(draft, certificate, place), open));
    },
    /** Deletes all input. */
    reset(): void {
      storage.removeItem(storageKey);
      change(emptyDraft());
    },
    /** Another copy of the same certificate is a draft of its own. `ids` are those of the certificates. */
    renew(ids: readonly string[]): void {
      const renewed = certificatesOf(draft).map((certificate) =>
        ids.includes(certificate.id) ? { ...certificate, id: newId(), isAnotherCopy: true } : certificate,
      );
      keep(withCertificates(draft, renewed, draft.place));
    },
    /** Sets the total, in pounds. */
    setTotal(total: number): void {
      if (draft.total !== total) this.update({ total });
    },
  };
}
