import { type Bytes, base64Of, fromBase64, fromDecimal, hashFromBase64 } from "./bytes.ts";
import { type Checkpoint, type OpenedCheckpoint, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { NoteRefused, parseNote } from "./signed-note.ts";
import type { VerifierKey } from "./verifier-key.ts";
import { hashOfLeaf, isIncluded } from "./verify-proofs.ts";

/** A leaf's place in a tree. */
export type RecordProof = {
  /** The leaf's content. */
  readonly extra: Bytes;
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly hashes: readonly Bytes[];
};

/** A leaf's place in a log, with all that is needed to verify it (C2SP tlog-proof). */
type ProofFile = RecordProof & {
  /** With all signatures. */
  readonly checkpoint: string;
};

export type VerifiedProof = OpenedCheckpoint & Pick<ProofFile, "extra" | "index">;

/**
 * Why a file proves nothing: it is not a proof or is incomplete, none of the keys signed its checkpoint, or the tree
 * that was signed has another record there.
 */
export type ProofFault = "malformed" | "signature" | "record";

export class ProofRefused extends Error {
  override name = "ProofRefused";
  readonly fault: ProofFault;
  constructor(fault: ProofFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

const firstLine = "c2sp.org/tlog-proof@v1";
/** A tree of 2^53 leaves has proofs of 53 hashes. */
const mostHashes = 63;

/** The file's part before the empty line and the checkpoint. */
export const formatRecordProof = ({ extra, index, hashes }: RecordProof): string =>
  [firstLine, `extra ${base64Of(extra)}`, `index ${index}`, ...hashes.map(base64Of)].join("\n");

export const formatProofFile = (proof: ProofFile): string =>
  `${formatRecordProof(proof)}\n\n${proof.checkpoint}`;

/** @throws ProofRefused when it is malformed */
export function parseProofFile(text: string): ProofFile {
  const end = text.indexOf("\n\n");
  const [first, extraLine = "", indexLine = "", ...hashLines] = text.slice(0, Math.max(0, end)).split("\n");
  const extra = extraLine.startsWith("extra ") ? fromBase64(extraLine.slice("extra ".length)) : undefined;
  const index = indexLine.startsWith("index ") ? fromDecimal(indexLine.slice("index ".length)) : undefined;
  const hashes = hashLines.map(hashFromBase64).filter((hash) => hash !== undefined);
  if (first !== firstLine || !extra || index === undefined || hashes.length < hashLines.length)
    throw new ProofRefused("malformed", "The file is not a proof of this kind.");
  if (hashes.length > mostHashes) throw new ProofRefused("malformed", "The proof is too long.");
  return { extra, index, hashes, checkpoint: text.slice(end + 2) };
}

/** The tree that a proof file claims, whether or not it was signed. @throws ProofRefused when it is malformed */
export function claimedCheckpoint({ checkpoint }: Pick<ProofFile, "checkpoint">): Checkpoint {
  try {
    return parseCheckpoint(parseNote(checkpoint).text);
  } catch (error) {
    throw refused("malformed", error);
  }
}

export const refused = (fault: ProofFault, error: unknown): unknown =>
  error instanceof NoteRefused ? new ProofRefused(fault, error.message, { cause: error }) : error;

/**
 * Verifies a proof file on its own: nothing is fetched.
 * @throws ProofRefused with the reason
 */
export async function verifyProofFile(
  text: string,
  logKeys: readonly VerifierKey[],
  witnessKeys: readonly VerifierKey[] = [],
): Promise<VerifiedProof> {
  const proof = parseProofFile(text);
  claimedCheckpoint(proof);
  const { extra, index, hashes } = proof;
  const opened = await openCheckpoint(proof.checkpoint, logKeys, witnessKeys).catch((error: unknown) => {
    throw refused("signature", error);
  });
  if (!(await isIncluded(await hashOfLeaf(extra), index, hashes, opened.checkpoint)))
    throw new ProofRefused("record", "The checkpoint's tree does not hold this record.");
  return { ...opened, extra, index };
}
