import { showCheckpoint, showVerifierKeys } from "../../../contract/transparency/public-log.ts";
import { type DeletionOnRecord, deletionOnRecord } from "../../../domain/order/personal-data/proof-words.ts";
import { parseLeaf } from "../../../infra/transparency/formats/leaf-fields.ts";
import {
  type ProofFault,
  ProofRefused,
  type VerifiedProof,
  verifyProofFile,
} from "../../../infra/transparency/formats/proof-file.ts";
import { parseVerifierKey, type VerifierKey } from "../../../infra/transparency/formats/verifier-key.ts";

/** What came of checking a file. `unsupported`: the browser has no Ed25519. `no-key`: there is no key to check with. */
export type Checked =
  | { readonly kind: "holds"; readonly deletion: DeletionOnRecord; readonly proof: VerifiedProof }
  | { readonly kind: ProofFault | "other-record" | "unsupported" | "no-key" };

const mostBytes = 64 * 1024;

/** Checks a file in the browser. It is not sent anywhere. @param keys of the log, `name+id+key`, one a line */
export async function checkProof(file: Blob, keys: string): Promise<Checked> {
  if (!(await canVerify())) return { kind: "unsupported" };
  const known = await keysIn(keys);
  if (known.length === 0) return { kind: "no-key" };
  if (file.size > mostBytes) return { kind: "malformed" };
  // The file may have been moved or deleted since it was chosen.
  const text = await file.text().catch(() => "");
  try {
    const proof = await verifyProofFile(text, known);
    const deletion = deletionOnRecord(parseLeaf(proof.extra) ?? new Map(), proof.index);
    return deletion ? { kind: "holds", deletion, proof } : { kind: "other-record" };
  } catch (error) {
    if (error instanceof ProofRefused) return { kind: error.fault };
    throw error;
  }
}

async function keysIn(text: string): Promise<VerifierKey[]> {
  const read = await Promise.all(text.split("\n").map((line) => parseVerifierKey(line.trim())));
  return read.filter((key) => key !== undefined);
}

/** Older browsers have no Ed25519, and pages without https no WebCrypto. */
async function canVerify(): Promise<boolean> {
  try {
    const { publicKey } = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return publicKey.type === "public";
  } catch {
    return false;
  }
}

/**
 * The keys that this site publishes, one a line; empty when they cannot be read. @throws TypeError without an answer
 */
export const publishedKeys = (): Promise<string> => published(showVerifierKeys);

/** The newest checkpoint, as it was signed; empty before the first. @throws TypeError without an answer */
export const newestCheckpoint = (): Promise<string> => published(showCheckpoint);

/** Without what `call` adds: these answers are the same for everyone, and may come from a cache. */
async function published({ path }: { readonly path: string }): Promise<string> {
  const response = await fetch(path, { credentials: "omit" });
  // Read even when it is a refusal: a request stays open until its body has been read.
  const text = await response.text();
  return response.ok ? text : "";
}
