import { type Bytes, base64Of, fromDecimal, hashFromBase64 } from "./bytes.ts";

/** What a log asks of a witness (C2SP tlog-witness): to sign a checkpoint that extends the tree it knows. */
export type WitnessRequest = {
  /** Size of the tree that the witness knows; 0 for none. */
  readonly old: number;
  /** That the new tree extends it. */
  readonly proof: readonly Bytes[];
  /** With the log's signature. */
  readonly checkpoint: string;
};

const mostHashes = 63;

export const formatWitnessRequest = ({ old, proof, checkpoint }: WitnessRequest): string =>
  [`old ${old}`, ...proof.map(base64Of), "", checkpoint].join("\n");

/** Undefined when it is malformed. */
export function parseWitnessRequest(text: string): WitnessRequest | undefined {
  const end = text.indexOf("\n\n");
  const [oldLine = "", ...hashLines] = text.slice(0, Math.max(0, end)).split("\n");
  const old = oldLine.startsWith("old ") ? fromDecimal(oldLine.slice("old ".length)) : undefined;
  const proof = hashLines.map(hashFromBase64).filter((hash) => hash !== undefined);
  if (old === undefined || proof.length < hashLines.length || proof.length > mostHashes) return undefined;
  return { old, proof, checkpoint: text.slice(end + 2) };
}
