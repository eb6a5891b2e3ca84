import { createHash, createPrivateKey, generateKeyPair, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { AgreedFiles } from "../key-ring/durable-files.ts";
import {
  countingAmong,
  type KeyGeneration,
  type KeyGenerations,
  keyGenerations,
} from "../key-ring/signing-keys.ts";
import { recordedInstant } from "../recorded-instant.ts";
import type { Bytes } from "./formats/bytes.ts";
import type { NoteSigner } from "./formats/signed-note.ts";
import { type SignatureType, signatureTypes, type VerifierKey, verifierKey } from "./formats/verifier-key.ts";

/** How long a key signs beside its successor. */
export const signsBesideDays = 30;

const make = promisify(generateKeyPair);

async function makePem(): Promise<Buffer> {
  const { privateKey } = await make("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return Buffer.from(privateKey);
}

/** The Ed25519 keys of the transparency log, beside the other keys. */
export const logKeyFiles = (files: AgreedFiles): KeyGenerations =>
  keyGenerations(files, { name: "transparency", extension: "pem", make: makePem });

/** Signers of the log, newest first: the newest key, and older ones for a month after their successor was made. */
export async function logSigners(
  generations: Pick<KeyGenerations, "read">,
  origin: string,
  now: Date,
): Promise<readonly NoteSigner[]> {
  const counting = countingAmong(await generations.read(), signsBesideDays, now);
  return Promise.all(
    counting.map(({ bytes }) => signerOf(createPrivateKey(bytes), origin, signatureTypes.log)),
  );
}

/** @param privateKey Ed25519 */
export async function signerOf(
  privateKey: KeyObject,
  name: string,
  type: SignatureType,
): Promise<NoteSigner> {
  return {
    key: await verifierKey(name, type, publicBytes(privateKey)),
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

function publicBytes(privateKey: KeyObject): Bytes {
  const { x = "" } = privateKey.export({ format: "jwk" });
  return new Uint8Array(Buffer.from(x, "base64url"));
}

/** A key that signs no more. What it signed counts still, unless it was revoked: then others may have it. */
export type RetiredKey = {
  readonly key: VerifierKey;
  readonly since: Date;
  readonly isRevoked: boolean;
};

/** Public parts of keys whose private part is erased: `transparency-retired.<fingerprint>.json`, and `-revoked`. */
const recordName = /^transparency-(retired|revoked)\.[0-9a-f]{32}\.json$/;

const retirement = z.object({ publicKey: z.string(), since: recordedInstant });

/** Records the key's public part, then erases the key. */
export async function retire(
  files: AgreedFiles,
  generation: KeyGeneration,
  { since, isRevoked }: Pick<RetiredKey, "since" | "isRevoked">,
): Promise<void> {
  const publicKey = publicBytes(createPrivateKey(generation.bytes));
  const fingerprint = createHash("sha256").update(publicKey).digest("hex").slice(0, 32);
  const record = { publicKey: Buffer.from(publicKey).toString("base64"), since: since.toISOString() };
  await files.keep(`transparency-${isRevoked ? "revoked" : "retired"}.${fingerprint}.json`, async () =>
    Buffer.from(`${JSON.stringify(record)}\n`),
  );
  await logKeyFiles(files).destroy(generation);
}

/** The end of a key's last month; undefined for the newest. */
export function signsUntil(
  generation: KeyGeneration,
  generations: readonly KeyGeneration[],
): Date | undefined {
  const successor = generations[generations.findIndex(({ file }) => file === generation.file) + 1];
  return successor?.madeAt ? new Date(successor.madeAt.getTime() + signsBesideDays * 86_400_000) : undefined;
}

/** Keys that signed once and sign no more, newest first. */
export async function retiredKeys(
  files: AgreedFiles,
  origin: string,
  now: Date,
): Promise<readonly RetiredKey[]> {
  const generations = await logKeyFiles(files).read();
  const counting = countingAmong(generations, signsBesideDays, now);
  const found = new Map<string, RetiredKey>();
  for (const generation of generations) {
    if (counting.some(({ file }) => file === generation.file)) continue;
    const key = await keyNamed(origin, publicBytes(createPrivateKey(generation.bytes)));
    found.set(key.id, { key, since: signsUntil(generation, generations) ?? now, isRevoked: false });
  }
  // In the order of their names, so that a revocation has the last word.
  for (const file of (await files.names()).filter((name) => recordName.test(name))) {
    const record = retirement.parse(JSON.parse((await files.existing(file))?.toString() ?? ""));
    const key = await keyNamed(origin, new Uint8Array(Buffer.from(record.publicKey, "base64")));
    found.set(key.id, { key, since: new Date(record.since), isRevoked: file.includes("revoked") });
  }
  return [...found.values()].sort((one, other) => other.since.getTime() - one.since.getTime());
}

const keyNamed = (origin: string, publicKey: Bytes) => verifierKey(origin, signatureTypes.log, publicKey);

/** The log's name: the site's address without its scheme. @param publicUrl without a trailing slash */
export const originOf = (publicUrl: string): string =>
  `${publicUrl.replace(/^https?:\/\//, "")}/transparency`;
