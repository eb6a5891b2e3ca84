import {
  deletionOnRecord,
  whatItDoesNotProve,
  whatItProves,
  witnessWords,
} from "../../../domain/order/personal-data/deletion-words.ts";
import { WrongCommand } from "../../../infra/process/operator-error.ts";
import { parseLeaf } from "../../../infra/transparency/formats/leaf-fields.ts";
import {
  isProofBundle,
  parseProofBundle,
  type VerifiedBundle,
  verifyProofBundle,
} from "../../../infra/transparency/formats/proof-bundle.ts";
import {
  claimedCheckpoint,
  ProofRefused,
  parseProofFile,
  type VerifiedProof,
  verifyProofFile,
} from "../../../infra/transparency/formats/proof-file.ts";
import {
  parseVerifierKey,
  signatureTypes,
  type VerifierKey,
} from "../../../infra/transparency/formats/verifier-key.ts";

/** Whether a file proves a deletion, and what that means, in words. */
type Verdict = { readonly holds: boolean; readonly words: string };

/**
 * Verifies a proof file, or a list of proofs, with keys of the log and of witnesses (`name+id+key`). Nothing is fetched.
 * @throws WrongCommand for what is no key: it says nothing of the proof
 */
export async function verifyProof(file: string, keyTexts: readonly string[]): Promise<Verdict> {
  const keys: VerifierKey[] = [];
  for (const text of keyTexts) {
    const key = await parseVerifierKey(text.trim());
    if (!key) throw new WrongCommand(`--key: this is not a verifier key: ${text}`);
    keys.push(key);
  }
  try {
    const [log, witnesses] = [signatureTypes.log, signatureTypes.witness].map((type) =>
      keys.filter((key) => key.type === type),
    );
    if (!log || log.length === 0) return withoutKey(file);
    if (isProofBundle(file)) return verdictOnAll(await verifyProofBundle(file, log, witnesses));
    return verdictOn(await verifyProofFile(file, log, witnesses));
  } catch (error) {
    if (error instanceof ProofRefused) return fails(error.message);
    throw error;
  }
}

const fails = (reason: string): Verdict => ({ holds: false, words: `THE PROOF FAILS. ${reason}` });

function withoutKey(file: string): Verdict {
  const { origin } = claimedCheckpoint(isProofBundle(file) ? parseProofBundle(file) : parseProofFile(file));
  return fails(
    `Its signature cannot be checked without the log's key: give it with --key. Use the key that you noted, or take it from the site where you ordered. The file says that its log is ${origin}, which proves nothing.`,
  );
}

function verdictOn({ extra, index, checkpoint, logKeys, witnesses }: VerifiedProof): Verdict {
  const deletion = deletionOnRecord(parseLeaf(extra) ?? new Map(), index);
  if (!deletion) return fails("The log holds this record, but it is not the record of a deletion.");
  const place = `${index + 1} of ${checkpoint.size} in ${checkpoint.origin}`;
  const signedBy = logKeys.map(({ name, id }) => `${name}, key ${id}`).join("; ");
  const facts = [
    { name: "When", value: deletion.at },
    ...deletion.facts,
    { name: "Record", value: place },
    { name: "Signed by", value: signedBy },
  ];
  const lines = [
    "The proof holds. It proves:",
    ...whatItProves.map(listed),
    "",
    ...facts.map(({ name, value }) => `  ${name.padEnd(12)}${value}`),
    "",
    "It does not prove:",
    ...[...whatItDoesNotProve, witnessWords(witnesses.map(witnessed))].map(listed),
  ];
  return { holds: true, words: lines.join("\n") };
}

/** Every proof of a bundle holds. */
function verdictOnAll({ records, waiting, checkpoint, logKeys, witnesses }: VerifiedBundle): Verdict {
  const deletions = records.map(({ extra, index }) => ({
    index,
    deletion: deletionOnRecord(parseLeaf(extra) ?? new Map(), index),
  }));
  const other = deletions.findIndex(({ deletion }) => !deletion);
  if (other >= 0)
    return fails(`The log holds the record of proof ${other + 1}, but it is not the record of a deletion.`);
  const lines = deletions.map(({ index, deletion }) => {
    const facts = new Map(deletion?.facts.map(({ name, value }) => [name, value]));
    return `  ${deletion?.at}  record ${index + 1}: ${facts.get("Destroyed")}; key ${facts.get("Key")?.slice(0, 19)}`;
  });
  const signedBy = logKeys.map(({ name, id }) => `${name}, key ${id}`).join("; ");
  return {
    holds: true,
    words: [
      `All ${records.length} proofs hold. Each proves:`,
      ...whatItProves.map(listed),
      "",
      ...lines,
      "",
      `  Checkpoint  ${checkpoint.size} records in ${checkpoint.origin}, signed by ${signedBy}`,
      "",
      "They do not prove:",
      "- That no other deletion belongs to these.",
      ...(waiting > 0 ? [`- ${waiting} more, which the file says were not signed yet.`] : []),
      ...[...whatItDoesNotProve, witnessWords(witnesses.map(witnessed))].map(listed),
    ].join("\n"),
  };
}

const witnessed = ({ key, time }: VerifiedProof["witnesses"][number]): string =>
  `${key.name} at ${new Date(time * 1000).toISOString()}`;

const listed = (line: string): string => `- ${line}`;
