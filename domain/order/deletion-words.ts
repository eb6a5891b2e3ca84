import type { DestroyedKind, PurgeRule } from "./vocabulary.ts";

/** What a receipt of deletion says, for the page and for the mail. */

/** The most seconds that we promise between submission and deletion. */
export const promisedPurgeSeconds = 180;

const kinds: Readonly<Record<DestroyedKind, string>> = {
  application: "certificate details, event details, GRO reference",
  signature: "signature",
  contact: "name, address, e‑mail and phone",
  groOrderReference: "the GRO’s order reference",
  fingerprintKey: "the key of the order’s fingerprints",
};

const rules: Readonly<Record<PurgeRule, string>> = {
  submitted: "the application had been submitted",
  cancelled: "the order was cancelled",
  failed: "the order could not be completed",
  neverPaid: "the order was never paid",
  retention: "the time of keeping was over",
  erasure: "you asked for it",
};

/** What was destroyed. */
export const destroyedWords = (destroyed: readonly DestroyedKind[]): string =>
  destroyed.map((kind) => kinds[kind]).join(", ");

/** Why it was destroyed. */
export const ruleWords = (rule: PurgeRule): string => rules[rule];

/** How it was checked. */
export const probeWords = "trying to read it back: nothing could be opened";

/** How long after the submission, beside the promise; undefined when it had nothing to do with one. */
export const afterWords = (seconds: number | null): string | undefined =>
  seconds === null
    ? undefined
    : `${seconds} ${seconds === 1 ? "second" : "seconds"} after submission (we promise ${promisedPurgeSeconds})`;

/** A fingerprint in groups of four, as one compares it. */
export const groupedFingerprint = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, "$1 ");
