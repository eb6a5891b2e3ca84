import { signerKeys } from "../../../infra/audit/signer-keys.ts";
import { type AgreedFiles, agreedFiles } from "../../../infra/key-ring/durable-files.ts";
import {
  countingAmong,
  readAgainMs,
  signingKeyFiles,
  signsAfterMs,
} from "../../../infra/key-ring/signing-keys.ts";
import { OperatorError, WrongCommand } from "../../../infra/process/operator-error.ts";
import { logKeyFiles, retire, signsBesideDays, signsUntil } from "../../../infra/transparency/log-keys.ts";

/** Keys that sign customers' cookies, links and return addresses, with the days their signatures stay valid after rotation. */
export const signingKeyDays = {
  /** As long as an order's cookie and the links in its mails last. */
  "order-access": 180,
  /** Links to conversations do not expire. With the usual retention, the tickets of older links are mostly purged. */
  "ticket-links": 400,
  /** As long as an address counts. */
  "return-addresses": 180,
} as const;

export type SigningKeyName = keyof typeof signingKeyDays;

const isSigningKeyName = (name: string): name is SigningKeyName => Object.hasOwn(signingKeyDays, name);

type Rotation = {
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
    "id-namespace can never change: every record's id is derived from it, and with another one a repeated request would be taken for a new one. It opens nothing: if it leaks, record ids can be predicted from an order's id, and they are no secret.",
  "key-folder":
    "key-folder signs nothing: it only shows that this folder and the database belong together (ACCEPT_NEW_KEYS in docs/operations.md).",
  "request-counts":
    "request-counts lasts an hour: stop every process, remove installation/request-counts.secret from KEY_DIR and its mirror, and start them again; counting starts afresh.",
  sandbox:
    "sandbox is for trials only: stop, remove installation/sandbox.secret from KEY_DIR and its mirror, and start; sandbox payments in progress are lost.",
  "sandbox-identity":
    "sandbox-identity is for trials only: stop, remove installation/sandbox-identity.pem from KEY_DIR and its mirror, and start; all users sign in again.",
};

/**
 * Creates a new key; running processes load it automatically.
 * @returns the result and its consequences, in sentences
 * @throws WrongCommand for a key that is not rotated, or not revoked, with the reason
 * @throws OperatorError if KEY_DIR holds no keys
 */
export async function rotateKey({ keyDir, mirrorDir, name, revoke, now }: Rotation): Promise<string> {
  const files = agreedFiles(keyDir, mirrorDir);
  if (name !== "audit" && name !== "transparency" && !isSigningKeyName(name)) {
    const known = [...Object.keys(signingKeyDays), "audit", "transparency"].join(", ");
    throw new WrongCommand(others[name] ?? `There is no key of that name. These can be rotated: ${known}.`);
  }
  if (name === "audit" && revoke)
    throw new WrongCommand(
      "The audit's key is replaced, not revoked: what it signed remains valid. Omit --revoke; the private part of the old key is destroyed in any case.",
    );
  if ((await files.names()).length === 0)
    throw new OperatorError(`KEY_DIR (${keyDir}) holds no keys: set it to the folder of the installation.`);
  if (name === "audit") return rotateAudit(files, now);
  if (name === "transparency") return rotateTransparency(files, revoke, now);
  return revoke ? revokeSigning(files, name, now) : rotateSigning(files, name, now);
}

async function rotateAudit(files: AgreedFiles, now: Date): Promise<string> {
  await signerKeys(files).succeed(now);
  return "audit: a new key was created and signed by the previous one, whose private part is destroyed. The next file is signed with the new key. The checkpoints that older builds signed stay verifiable. Restart the gateways: their compliance pages use the key loaded at start.";
}

async function rotateTransparency(files: AgreedFiles, revoke: boolean, now: Date): Promise<string> {
  const generations = logKeyFiles(files);
  const before = await generations.open();
  await generations.begin(now);
  const all = await generations.read();
  const counting = revoke ? [] : countingAmong(all, signsBesideDays, now);
  const over = before.filter(({ file }) => !counting.some((each) => each.file === file));
  for (const generation of over) {
    const since = revoke ? now : (signsUntil(generation, all) ?? now);
    await retire(files, generation, { since, isRevoked: revoke });
  }
  const until = revoke
    ? "with it alone; the earlier keys were erased, and proofs that only they signed fail: download them again"
    : `with it, and with the previous key as well until ${momentAfter(now, signsBesideDays * dayMs)}`;
  return `transparency: a new key was created. From the next minute checkpoints are signed ${until}. Give the new verifier key to everyone who verifies the log.`;
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
  return `${name}: a new key was created. Every process signs with it from ${from}; signatures of the previous key are valid until ${until}.${cleared}`;
}

async function revokeSigning(files: AgreedFiles, name: SigningKeyName, now: Date): Promise<string> {
  const generations = signingKeyFiles(files, name);
  const before = await generations.open();
  await generations.begin(now);
  for (const generation of before) await generations.destroy(generation);
  return `${name}: a new key was created, and all earlier ones were erased: ${before.length}. Their signatures are no longer valid; running processes know within ${readAgainMs / 1000} s.`;
}

const momentAfter = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();
