import { type Bytes, fromDecimal } from "../formats/bytes.ts";
import {
  formatSignature,
  NoteRefused,
  parseNote,
  parseSignatures,
  verifyNote,
} from "../formats/signed-note.ts";
import type { VerifierKey } from "../formats/verifier-key.ts";
import { formatWitnessRequest } from "../formats/witness-request.ts";

/** A witness, and where it takes checkpoints. */
export type KnownWitness = {
  readonly key: VerifierKey;
  /** Without a trailing slash. */
  readonly address: string;
};

export type AskedCheckpoint = {
  readonly size: number;
  /** As the log signed it. */
  readonly note: string;
  /** Proves that this tree extends that of an earlier size. */
  readonly proofFrom: (size: number) => Promise<readonly Bytes[]>;
};

/** What a witness signed. */
type Cosignature = {
  /** A line of a note, with its line feed. */
  readonly line: string;
  /** By the witness's clock. */
  readonly at: Date;
};

/**
 * Why a witness did not sign. `ahead`: it knows a larger tree than ours. `conflict`: it knows another tree.
 * `signature`: what it answered is not its signature of this checkpoint.
 */
type WitnessFault = "ahead" | "conflict" | "refused" | "signature" | "unreachable";

export class WitnessFailed extends Error {
  override name = "WitnessFailed";
  readonly fault: WitnessFault;
  constructor(fault: WitnessFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

const mostBytes = 64 * 1024;

/**
 * Has a witness sign a checkpoint (C2SP tlog-witness). Its signature is verified.
 * @param old size of the tree that the witness knew last, if we know; it says when it is another
 * @param withinMs for everything
 * @throws WitnessFailed
 */
export async function askWitness(
  witness: KnownWitness,
  { size, note, proofFrom }: AskedCheckpoint,
  old: number,
  withinMs: number,
): Promise<Cosignature> {
  const signal = AbortSignal.timeout(withinMs);
  const post = async (from: number) =>
    send(
      witness,
      formatWitnessRequest({ old: from, proof: await proofFrom(from), checkpoint: note }),
      signal,
    );
  let reply = await post(old);
  if (reply.status === 409) {
    const known = fromDecimal(reply.text.replace(/\n$/, ""));
    if (known === undefined) throw new WitnessFailed("refused", "Its answer names no size.");
    if (known > size) throw new WitnessFailed("ahead", `It knows a tree of ${known}.`);
    if (known === old) throw new WitnessFailed("conflict", `It knows another tree of ${known}.`);
    reply = await post(known);
  }
  if (reply.status === 409) throw new WitnessFailed("conflict", "It knows another tree.");
  if (reply.status !== 200) throw new WitnessFailed("refused", `It answered ${reply.status}.`);
  return cosignatureIn(reply.text, note, witness.key);
}

async function cosignatureIn(lines: string, note: string, key: VerifierKey): Promise<Cosignature> {
  try {
    const { text } = parseNote(note);
    const signatures = parseSignatures(lines);
    const own = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
    const [signed] = own ? await verifyNote({ text, signatures: [own] }, [key]) : [];
    if (own && typeof signed?.time === "number")
      return { line: formatSignature(own), at: new Date(signed.time * 1000) };
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw new WitnessFailed("signature", error.message, { cause: error });
  }
  throw new WitnessFailed("signature", "It did not sign with the key that we know.");
}

async function send(
  { address }: KnownWitness,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${address}/add-checkpoint`, {
      ...{ method: "POST", body, signal, redirect: "error" },
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
    return { status: response.status, text: await limitedText(response) };
  } catch (error) {
    if (error instanceof WitnessFailed) throw error;
    throw new WitnessFailed("unreachable", "It does not answer.", { cause: error });
  }
}

async function limitedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw new WitnessFailed("refused", "Its answer is too long.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
