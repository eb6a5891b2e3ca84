import { type Bytes, base64Of, fromBase64, fromDecimal, hashFromBase64 } from "./bytes.ts";
import { type OpenedCheckpoint, openCheckpoint } from "./checkpoint.ts";
import { NoteRefused } from "./signed-note.ts";
import type { VerifierKey } from "./verifier-key.ts";
import { hashOfLeaf, isIncluded } from "./verify-proofs.ts";

/** A leaf's place in a log, with all that is needed to verify it (C2SP tlog-proof). */
export type ProofFile = {
  /** The leaf's content. */
  readonly extra: Bytes;
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly hashes: readonly Bytes[];
  /** With all signatures. */
  readonly checkpoint: string;
};

export type VerifiedProof = OpenedCheckpoint & Pick<ProofFile, "extra" | "index">;

/** A file that is malformed, or that proves nothing. */
export class ProofRefused extends Error {
  override name = "ProofRefused";
}

const firstLine = "c2sp.org/tlog-proof@v1";
/** A tree of 2^53 leaves has proofs of 53 hashes. */
const mostHashes = 63;

export const formatProofFile = ({ extra, index, hashes, checkpoint }: ProofFile): string =>
  [firstLine, `extra ${base64Of(extra)}`, `index ${index}`, ...hashes.map(base64Of), "", checkpoint].join(
    "\n",
  );

/** @throws ProofRefused when it is malformed */
export function parseProofFile(text: string): ProofFile {
  const end = text.indexOf("\n\n");
  const [first, extraLine = "", indexLine = "", ...hashLines] = text.slice(0, Math.max(0, end)).split("\n");
  const extra = extraLine.startsWith("extra ") ? fromBase64(extraLine.slice("extra ".length)) : undefined;
  const index = indexLine.startsWith("index ") ? fromDecimal(indexLine.slice("index ".length)) : undefined;
  const hashes = hashLines.map(hashFromBase64).filter((hash) => hash !== undefined);
  if (first !== firstLine || !extra || index === undefined || hashes.length < hashLines.length)
    throw new ProofRefused("The file is not a proof of this kind.");
  if (hashes.length > mostHashes) throw new ProofRefused("The proof is too long.");
  return { extra, index, hashes, checkpoint: text.slice(end + 2) };
}

/**
 * Verifies a proof file on its own: nothing is fetched.
 * @throws ProofRefused with the reason
 */
export async function verifyProofFile(
  text: string,
  logKeys: readonly VerifierKey[],
  witnessKeys: readonly VerifierKey[] = [],
): Promise<VerifiedProof> {
  const { extra, index, hashes, checkpoint: note } = parseProofFile(text);
  const opened = await openCheckpoint(note, logKeys, witnessKeys).catch((error: unknown) => {
    throw error instanceof NoteRefused ? new ProofRefused(error.message, { cause: error }) : error;
  });
  if (!(await isIncluded(await hashOfLeaf(extra), index, hashes, opened.checkpoint)))
    throw new ProofRefused("The checkpoint's tree does not hold this record.");
  return { ...opened, extra, index };
}
