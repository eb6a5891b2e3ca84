import type { PurgedKind, PurgeRule } from "../vocabulary.ts";
import { purgePromiseSeconds } from "./lapse.ts";

/**
 * What a receipt of deletion says, for the page and for the mail. A page may be older than the server: what it does not
 * know yet is shown as it is named.
 */

const kindWords: Readonly<Record<PurgedKind, string>> = {
  application: "certificate details, event details, GRO reference",
  signature: "signature",
  contact: "name, address, email and phone",
  groOrderReference: "the GRO’s order reference",
  orderNote: "our notes about the order",
  bankTransfer: "the reference of a bank transfer",
  fingerprintKey: "the key to the order’s fingerprints",
};

const reasonWords: Readonly<Record<PurgeRule, string>> = {
  submitted: "the application had been submitted",
  cancelled: "the order was cancelled",
  failed: "the order could not be completed",
  neverPaid: "the order was never paid",
  retention: "the retention period had ended",
  erasure: "you asked for it",
};

const kinds: Readonly<Record<string, string>> = kindWords;
const rules: Readonly<Record<string, string>> = reasonWords;

/** What was purged. */
export const destroyedWords = (destroyed: readonly string[]): string =>
  destroyed.map((kind) => kinds[kind] ?? kind).join(", ");

/** Why it was purged. */
export const ruleWords = (rule: string): string => rules[rule] ?? rule;

/** How it was checked. */
export const probeWords = "we tried to read it back, and nothing could be opened";

/** How long after the submission, beside the promise; undefined when it had nothing to do with one. */
export const afterWords = (seconds: number | null): string | undefined =>
  seconds === null
    ? undefined
    : `${seconds} ${seconds === 1 ? "second" : "seconds"} after submission (we promise ${purgePromiseSeconds})`;

/** A fingerprint in groups of four, as one compares it. */
export const groupedFingerprint = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, "$1 ");
