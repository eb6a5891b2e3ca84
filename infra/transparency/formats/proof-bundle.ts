import { fromDecimal } from "./bytes.ts";
import { type OpenedCheckpoint, openCheckpoint } from "./checkpoint.ts";
import { formatRecordProof, ProofRefused, parseProofFile, type RecordProof, refused } from "./proof-file.ts";
import type { VerifierKey } from "./verifier-key.ts";
import { hashOfLeaf, isIncluded } from "./verify-proofs.ts";

// Our own format: proofs that share one checkpoint. Each of them, with an empty line and the checkpoint after it, is a
// C2SP tlog-proof.

type ProofBundle = {
  /** By index. */
  readonly proofs: readonly RecordProof[];
  /** Records left out, because no signed checkpoint has them yet. */
  readonly waiting: number;
  /** With all signatures. */
  readonly checkpoint: string;
};

export type VerifiedBundle = OpenedCheckpoint & {
  readonly records: readonly Pick<RecordProof, "extra" | "index">[];
  readonly waiting: number;
};

const firstLine = "kith-and-copy/tlog-proofs@v1";

export const isProofBundle = (text: string): boolean => text.startsWith(`${firstLine}\n`);

export const formatProofBundle = ({ proofs, waiting, checkpoint }: ProofBundle): string =>
  [
    `${firstLine}\nproofs ${proofs.length}\nwaiting ${waiting}`,
    ...proofs.map(formatRecordProof),
    checkpoint,
  ].join("\n\n");

/** @throws ProofRefused when it is malformed */
export function parseProofBundle(text: string): ProofBundle {
  const blocks = text.split("\n\n");
  const [, proofsText = "", waitingText = ""] =
    /^kith-and-copy\/tlog-proofs@v1\nproofs (\d+)\nwaiting (\d+)$/.exec(blocks[0] ?? "") ?? [];
  const [count, waiting] = [fromDecimal(proofsText), fromDecimal(waitingText)];
  if (count === undefined || waiting === undefined || blocks.length <= count + 1)
    throw new ProofRefused("malformed", "The file is not a list of proofs, or is incomplete.");
  const proofs = blocks.slice(1, count + 1).map((block) => parseProofFile(`${block}\n\n`));
  // By index: none is there twice.
  if (proofs.some(({ index }, at) => at > 0 && index <= (proofs[at - 1]?.index ?? 0)))
    throw new ProofRefused("malformed", "The proofs are not in the order of their records.");
  return { proofs, waiting, checkpoint: blocks.slice(count + 1).join("\n\n") };
}

/**
 * Verifies every proof of a bundle on its own: nothing is fetched.
 * @throws ProofRefused naming the first that does not hold
 */
export async function verifyProofBundle(
  text: string,
  logKeys: readonly VerifierKey[],
  witnessKeys: readonly VerifierKey[] = [],
): Promise<VerifiedBundle> {
  const { proofs, waiting, checkpoint } = parseProofBundle(text);
  const opened = await openCheckpoint(checkpoint, logKeys, witnessKeys).catch((error: unknown) => {
    throw refused("signature", error);
  });
  for (const [at, { extra, index, hashes }] of proofs.entries()) {
    if (!(await isIncluded(await hashOfLeaf(extra), index, hashes, opened.checkpoint)))
      throw new ProofRefused(
        "record",
        `Proof ${at + 1} of ${proofs.length}: the checkpoint's tree does not hold this record.`,
      );
  }
  return { ...opened, waiting, records: proofs.map(({ extra, index }) => ({ extra, index })) };
}
