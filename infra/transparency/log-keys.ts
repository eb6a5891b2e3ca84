import { createPrivateKey, generateKeyPair, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { AgreedFiles } from "../key-ring/agreed-files.ts";
import { countingAmong, type KeyGenerations, keyGenerations } from "../key-ring/signing-keys.ts";
import type { NoteSigner } from "./formats/signed-note.ts";
import { signatureTypes, verifierKey } from "./formats/verifier-key.ts";

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
  generations: Pick<KeyGenerations, "open">,
  origin: string,
  now: Date,
): Promise<readonly NoteSigner[]> {
  const counting = countingAmong(await generations.open(), signsBesideDays, now);
  return Promise.all(counting.map(({ bytes }) => signerOf(createPrivateKey(bytes), origin)));
}

async function signerOf(privateKey: KeyObject, origin: string): Promise<NoteSigner> {
  const { x = "" } = privateKey.export({ format: "jwk" });
  return {
    key: await verifierKey(origin, signatureTypes.log, new Uint8Array(Buffer.from(x, "base64url"))),
    sign: async (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

/** The log's name: the site's address without its scheme. @param publicUrl without a trailing slash */
export const originOf = (publicUrl: string): string =>
  `${publicUrl.replace(/^https?:\/\//, "")}/transparency`;
