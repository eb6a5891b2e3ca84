import {
  type LogKeys,
  logKeys,
  showCheckpoint,
  showLogKeys,
  showWitnesses,
  type Witnesses,
  witnesses,
} from "../../../contract/transparency/public-log.ts";
import {
  type DeletionOnRecord,
  deletionOnRecord,
} from "../../../domain/order/personal-data/deletion-words.ts";
import { type OpenedCheckpoint, openCheckpoint } from "../../../infra/transparency/formats/checkpoint.ts";
import { parseLeaf } from "../../../infra/transparency/formats/leaf-fields.ts";
import {
  type ProofFault,
  ProofRefused,
  type VerifiedProof,
  verifyProofFile,
} from "../../../infra/transparency/formats/proof-file.ts";
import {
  parseVerifierKey,
  signatureTypes,
  type VerifierKey,
} from "../../../infra/transparency/formats/verifier-key.ts";

/**
 * The result of checking a file. `unsupported`: the browser has no Ed25519. `no-key`: there is no key to check with.
 * `revoked`: only a revoked key signed it.
 */
export type Checked =
  | { readonly kind: "holds"; readonly deletion: DeletionOnRecord; readonly proof: VerifiedProof }
  | { readonly kind: ProofFault | "revoked" | "other-record" | "unsupported" | "no-key" };

const mostBytes = 64 * 1024;

/** Checks a file in the browser. It is not sent anywhere. @param keys of the log, and of witnesses */
export async function checkProof(file: Blob, keys: LogKeys): Promise<Checked> {
  if (!(await canVerify())) return { kind: "unsupported" };
  const known = await keysAmong(keys, ({ state }) => state !== "revoked");
  if (!known.some(({ type }) => type === signatureTypes.log)) return { kind: "no-key" };
  if (file.size > mostBytes) return { kind: "malformed" };
  // The file may have been moved or deleted since it was chosen.
  const text = await file.text().catch(() => "");
  const checked = await checkText(text, known);
  if (checked.kind !== "signature") return checked;
  const revoked = await keysAmong(keys, ({ state }) => state === "revoked");
  return (await checkText(text, revoked)).kind === "signature" ? checked : { kind: "revoked" };
}

async function checkText(text: string, known: readonly VerifierKey[]): Promise<Checked> {
  try {
    const [log, witness] = [signatureTypes.log, signatureTypes.witness].map((type) =>
      known.filter((key) => key.type === type),
    );
    const proof = await verifyProofFile(text, log ?? [], witness ?? []);
    const deletion = deletionOnRecord(parseLeaf(proof.extra) ?? new Map(), proof.index);
    return deletion ? { kind: "holds", deletion, proof } : { kind: "other-record" };
  } catch (error) {
    if (error instanceof ProofRefused) return { kind: error.fault };
    throw error;
  }
}

async function keysAmong(keys: LogKeys, isWanted: (key: LogKeys[number]) => boolean): Promise<VerifierKey[]> {
  const read = await Promise.all(keys.filter(isWanted).map(({ key }) => parseVerifierKey(key)));
  return read.filter((key) => key !== undefined);
}

/** Keys that a person gives, one a line. */
export const keysIn = (text: string): LogKeys =>
  text.split("\n").map((line) => ({ key: line.trim(), state: "signs" as const, since: null }));

/** Older browsers have no Ed25519, and pages without https no WebCrypto. */
async function canVerify(): Promise<boolean> {
  try {
    const { publicKey } = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return publicKey.type === "public";
  } catch {
    return false;
  }
}

/** Who has cosigned a checkpoint; undefined where the browser cannot verify it. */
export async function cosignersOf(
  note: string,
  keys: LogKeys,
  { keys: witnessKeys }: Witnesses,
): Promise<OpenedCheckpoint["witnesses"] | undefined> {
  if (!(await canVerify())) return undefined;
  const log = await keysAmong(keys, ({ state }) => state !== "revoked");
  return (await openCheckpoint(note, log, await keysAmong(keysIn(witnessKeys.join("\n")), () => true)))
    .witnesses;
}

/** The keys of the log and of its witnesses that this site publishes. @throws TypeError without an answer */
export async function keysToCheckWith(): Promise<LogKeys> {
  const [log, named] = await Promise.all([publishedKeys(), namedWitnesses()]);
  return [...log, ...keysIn(named.keys.join("\n"))];
}

/** The witnesses that this site names; none when they cannot be read. @throws TypeError without an answer */
export async function namedWitnesses(): Promise<Witnesses> {
  const text = await published(showWitnesses);
  return text === "" ? { quorum: 0, keys: [] } : witnesses.parse(JSON.parse(text));
}

/** The keys that this site publishes; none when they cannot be read. @throws TypeError without an answer */
export async function publishedKeys(): Promise<LogKeys> {
  const text = await published(showLogKeys);
  return text === "" ? [] : logKeys.parse(JSON.parse(text)).keys;
}

/** The newest checkpoint, as it was signed; empty before the first. @throws TypeError without an answer */
export const newestCheckpoint = (): Promise<string> => published(showCheckpoint);

/** Without what `call` adds: these answers are the same for everyone. */
async function published({ path }: { readonly path: string }): Promise<string> {
  const response = await fetch(path, { credentials: "omit" });
  // Read even when it is a refusal: a request stays open until its body has been read.
  const text = await response.text();
  return response.ok ? text : "";
}
