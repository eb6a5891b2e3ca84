import type { DeletionReceipt } from "../../api/look-up-order.ts";

/** The most seconds that we promise between submission and deletion. */
export const promisedSeconds = 180;

const kinds: Readonly<Record<string, string>> = {
  application: "certificate details, event details, GRO reference",
  signature: "signature",
  contact: "name, address, e‑mail and phone",
  groOrderReference: "the GRO’s order reference",
  fingerprintKey: "the key of the order’s fingerprints",
};

const rules: Readonly<Record<string, string>> = {
  submitted: "the application had been submitted",
  cancelled: "the order was cancelled",
  failed: "the order could not be completed",
  neverPaid: "the order was never paid",
  retention: "the time of keeping was over",
  erasure: "you asked for it",
};

/** What was destroyed, in words. */
export const destroyedWords = ({ destroyed }: Pick<DeletionReceipt, "destroyed">): string =>
  [destroyed]
    .flat()
    .map((kind) => kinds[kind] ?? kind)
    .join(", ");

/** How long after submission, beside the promise; null when it had nothing to do with a submission. */
export function afterWords({
  secondsAfterSubmission: seconds,
}: Pick<DeletionReceipt, "secondsAfterSubmission">): string | null {
  if (seconds === null) return null;
  return `${seconds} ${seconds === 1 ? "second" : "seconds"} after submission (we promise ${promisedSeconds})`;
}

/** Why it was deleted. */
export const ruleWords = ({ rule }: Pick<DeletionReceipt, "rule">): string => rules[rule] ?? rule;

/** How it was checked. */
export const probeWords = ({ probe }: Pick<DeletionReceipt, "probe">): string =>
  probe === "unreadable" ? "trying to read it back: nothing could be opened" : probe;

/** A fingerprint in groups of four, as one compares it. */
export const groupedFingerprint = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, "$1 ");
