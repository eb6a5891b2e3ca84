import type { Draft } from "./draft.ts";

/** What one signs for: which certificate, how many copies, how fast, and what it costs. */
const signedFor = ({ certificateType, certificateOptions: options, total }: Draft): string =>
  [certificateType, options.fullCertificates, options.shortCertificates, options.isPriority, total].join();

const hasBegunSigning = ({ signature, acceptsTerms, asksToBegin }: Draft): boolean =>
  signature.trim() !== "" || acceptsTerms || asksToBegin;

/** A signature and two ticks stand for one choice at one price: where either became another, they are asked for again. */
export function withoutOutdatedSignature(before: Draft, after: Draft): Draft {
  const begun = hasBegunSigning(before) && hasBegunSigning(after);
  if (!begun || signedFor(before) === signedFor(after)) return after;
  return { ...after, signature: "", acceptsTerms: false, asksToBegin: false, signAgain: true };
}
