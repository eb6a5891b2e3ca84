import { purgePromiseSeconds } from "../../promise/purge-promise.ts";
import type { DraftDestructionRule, PurgedDraftKind } from "../../saved-draft/vocabulary.ts";
import type { PurgedTicketKind, TicketPurgeRule } from "../../ticket/vocabulary.ts";
import type { PurgedKind, PurgeRule, questionClosed, questionPurged } from "../vocabulary.ts";

/**
 * What a receipt of deletion says, for the page and for the mail. A page may be older than the server: what it does not
 * know yet is shown as it is named.
 */

type Kind = PurgedKind | typeof questionPurged | PurgedTicketKind | PurgedDraftKind;
type Rule = PurgeRule | typeof questionClosed | TicketPurgeRule | DraftDestructionRule;

const kindWords: Readonly<Record<Kind, string>> = {
  application: "certificate details, event details, GRO reference",
  signature: "signature",
  contact: "name, address, email and phone",
  groOrderReference: "the GRO’s order reference",
  orderNote: "our notes about the order",
  bankTransfer: "the reference of a bank transfer",
  fingerprintKey: "the key to the fingerprints of your requests",
  groQuestion: "the text of the GRO’s question",
  ticketContact: "name and email address",
  ticketMessage: "the messages of a conversation",
  ticketNote: "our notes about a conversation",
  ticketAttachment: "the files of a conversation",
  ticketOriginal: "emails as they came",
  savedDraft: "the answers of a saved order",
  savedDraftLink: "email address and link of a saved order",
};

const reasonWords: Readonly<Record<Rule, string>> = {
  submitted: "the application had been submitted",
  cancelled: "the order was cancelled",
  failed: "the order could not be completed",
  neverPaid: "the order was never paid",
  retention: "the retention period had ended",
  erasure: "you asked for it",
  questionClosed: "the question was answered, or closed without an answer",
  orderPurged: "the contact details of its order were deleted",
  ordered: "the order was placed",
  requested: "you asked for it",
  replaced: "the order was saved again",
  expired: "the link had expired",
  mailed: "the email with the link had left, or could not be delivered",
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

/**
 * What a proof of deletion shows and what it does not, for the page and for the command. `fields` are the lines of the
 * transparency log's record.
 */

export type DeletionOnRecord = {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
};

const purges: ReadonlySet<string> = new Set([
  "SensitiveDataPurged",
  "ContactDataPurged",
  "GROQuestionPurged",
  "TicketPurged",
  "DraftPurged",
  "LinkDestroyed",
]);

/**
 * What the record of a purge says; undefined for other records, and for one that says it stands elsewhere.
 * @param index where the proof shows it to be
 */
export function deletionOnRecord(
  fields: ReadonlyMap<string, string>,
  index: number,
): DeletionOnRecord | undefined {
  if (!purges.has(fields.get("type") ?? "") || fields.get("index") !== String(index)) return undefined;
  const [at, destroyed, rule, probe, key] = ["time", "destroyed", "rule", "probe", "key"].map((name) =>
    fields.get(name),
  );
  if (!at || !destroyed || !rule || !probe || !key) return undefined;
  return {
    at,
    facts: [
      { name: "Destroyed", value: destroyedWords(destroyed.split(" ")) },
      { name: "Because", value: ruleWords(rule) },
      { name: "Checked by", value: probe === "unreadable" ? probeWords : probe },
      { name: "Key", value: groupedFingerprint(key) },
    ],
  };
}

export const whatItProves = [
  "This deletion is on record in the log that the signed checkpoint describes.",
  "The record has not been changed since the checkpoint was signed.",
] as const;

export const whatItDoesNotProve = [
  "That the data was destroyed. The record is our own statement, which we cannot take back unnoticed.",
  "Whose order it was. The record holds no name and no order number: compare the key with the one on your certificate of deletion.",
  "That the data was never copied before it was deleted.",
  "That the time is right. It is the time of our own clock.",
] as const;

/** Without witnesses, what everyone is shown rests on the log's own signature. @param witnesses names of known ones */
export const witnessWords = (witnesses: readonly string[]): string =>
  witnesses.length === 0
    ? "That everyone is shown the same log. No witness that you know has signed this checkpoint."
    : `That everyone is shown the same log, unless you trust the witnesses who signed this checkpoint (${witnesses.length}): ${witnesses.join(", ")}.`;
