import { mostOrders } from "../../../domain/checkout/shares.ts";
import type { Draft, DraftCertificate } from "./draft.ts";

// The certificates of an order. Each has its place; one is open, and the draft itself holds its answers.

/** The certificate that is answered now. */
export const currentOf = (draft: Draft): DraftCertificate => ({
  id: draft.id,
  isAnotherCopy: draft.isAnotherCopy,
  certificateType: draft.certificateType,
  certificateOptions: draft.certificateOptions,
  birth: draft.birth,
  death: draft.death,
  marriage: draft.marriage,
  adoption: draft.adoption,
});

/** All certificates, in the sequence in which they were added. */
export const certificatesOf = (draft: Draft): DraftCertificate[] =>
  draft.others.toSpliced(draft.place, 0, currentOf(draft));

/** The draft of these certificates, with the one at `place` open. */
export function withCertificates(draft: Draft, all: readonly DraftCertificate[], place: number): Draft {
  const current = all[place];
  return current ? { ...draft, ...current, others: all.toSpliced(place, 1), place } : draft;
}

/** With the one at `place` open. */
export const withOpen = (draft: Draft, place: number): Draft =>
  withCertificates(draft, certificatesOf(draft), place);

/** With one more, which is open; unless there are as many as one payment may have. */
export function withCertificate(draft: Draft, certificate: DraftCertificate, place: number): Draft {
  if (isFull(draft)) return draft;
  return withCertificates(draft, certificatesOf(draft).toSpliced(place, 0, certificate), place);
}

/** Without the one at `place`; if that was open, the last one is. */
export function withoutCertificate(draft: Draft, place: number): Draft {
  const rest = certificatesOf(draft).toSpliced(place, 1);
  const before = draft.place - (place < draft.place ? 1 : 0);
  return withCertificates(draft, rest, place === draft.place ? rest.length - 1 : before);
}

/** With those certificates alone that fit, if any does; without the open one, the last one is open. */
export function withOnly(draft: Draft, fits: (certificate: DraftCertificate) => boolean): Draft {
  return certificatesOf(draft)
    .map((certificate, place) => ({ place, stays: fits(certificate) }))
    .filter(({ stays }) => !stays)
    .reduceRight((rest, { place }) => withoutCertificate(rest, place), draft);
}

/** Whether the order has as many certificates as one payment may have. */
export const isFull = (draft: Draft): boolean => draft.others.length + 1 >= mostOrders;
