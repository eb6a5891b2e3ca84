import { signerKeys } from "../../../infra/audit/signer-keys.ts";
import { type AgreedFiles, agreedFiles } from "../../../infra/key-ring/agreed-files.ts";
import {
  countingAmong,
  readAgainMs,
  signingKeyFiles,
  signsAfterMs,
} from "../../../infra/key-ring/signing-keys.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { isSigningKeyName, type SigningKeyName, signingKeyDays } from "./signing-key-names.ts";

export type Rotation = {
  keyDir: string;
  /** KEY_MIRROR_DIR: a key erased in one folder alone comes back from the other. */
  mirrorDir: string | undefined;
  name: string;
  /** Erases earlier keys at once, instead of letting their signatures expire. */
  revoke: boolean;
  now: Date;
};

const dayMs = 86_400_000;

/** Why the other keys are not rotated, and what to do if one was leaked. */
const others: Readonly<Record<string, string>> = {
  "id-namespace":
    "id-namespace can never change: from it the id of every record was derived, and with another one a request that is repeated would be taken for a new one. It opens nothing. Where it got out, somebody who knows an order's id can foretell the ids of its records, which are no secret.",
  "key-folder":
    "key-folder signs nothing: it only says that this folder and the database belong together (ACCEPT_NEW_KEYS in docs/operations.md).",
  "request-counts":
    "request-counts lasts an hour: stop every process, remove installation/request-counts.secret from KEY_DIR and its mirror, and start them; the counts begin anew.",
  sandbox:
    "sandbox is for trying: stop, remove installation/sandbox.secret from KEY_DIR and its mirror, and start; payments that are under way there are lost.",
  "sandbox-identity":
    "sandbox-identity is for trying: stop, remove installation/sandbox-identity.pem from KEY_DIR and its mirror, and start; everybody signs in again.",
};

/**
 * Creates a new key; running processes load it automatically.
 * @returns the result and its consequences, in sentences
 * @throws OperatorError for a key that is not rotated, with the reason, and if KEY_DIR holds no keys
 */
export async function rotateKey({ keyDir, mirrorDir, name, revoke, now }: Rotation): Promise<string> {
  const files = agreedFiles(keyDir, mirrorDir);
  if (name !== "audit" && !isSigningKeyName(name)) {
    const known = [...Object.keys(signingKeyDays), "audit"].join(", ");
    throw new OperatorError(others[name] ?? `There is no key of that name. These can be rotated: ${known}.`);
  }
  if ((await files.names()).length === 0)
    throw new OperatorError(`KEY_DIR (${keyDir}) holds no keys: set it to the folder of the installation.`);
  if (name === "audit") return rotateAudit(files, revoke, now);
  return revoke ? revokeSigning(files, name, now) : rotateSigning(files, name, now);
}

async function rotateAudit(files: AgreedFiles, revoke: boolean, now: Date): Promise<string> {
  if (revoke) {
    throw new OperatorError(
      "The audit's key is replaced, not revoked: what it signed stays true. Leave --revoke away; the private part of the old one is destroyed in any case.",
    );
  }
  await signerKeys(files).succeed(now);
  return "audit: a new key was made and signed by the one before it, whose private part is destroyed. The next checkpoint is signed with the new one, and nothing that the old one signs after that is believed. Restart the gateways, whose compliance page shows and uses the key that it found at its start.";
}

async function rotateSigning(files: AgreedFiles, name: SigningKeyName, now: Date): Promise<string> {
  const generations = signingKeyFiles(files, name);
  await generations.open();
  await generations.begin(now);
  const all = await generations.read();
  const counting = countingAmong(all, signingKeyDays[name], now);
  const over = all.filter((generation) => !counting.includes(generation));
  for (const generation of over) await generations.destroy(generation);
  const [from, until] = [signsAfterMs, signingKeyDays[name] * dayMs].map((ms) => momentAfter(now, ms));
  const cleared = over.length > 0 ? ` Expired keys erased: ${over.length}.` : "";
  return `${name}: a new key was made. Every process signs with it from ${from}; what the one before signed counts until ${until}.${cleared}`;
}

async function revokeSigning(files: AgreedFiles, name: SigningKeyName, now: Date): Promise<string> {
  const generations = signingKeyFiles(files, name);
  const before = await generations.open();
  await generations.begin(now);
  for (const generation of before) await generations.destroy(generation);
  return `${name}: a new key was made, and all earlier ones were erased: ${before.length}. What they signed is worth nothing; processes that run know within ${readAgainMs / 1000} s.`;
}

const momentAfter = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();
