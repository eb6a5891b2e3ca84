import { destroyedWords, groupedFingerprint, probeWords, ruleWords } from "./deletion-words.ts";

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
