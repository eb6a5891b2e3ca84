import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { agreedFiles } from "./agreed-files.ts";

/** PEM texts: PKCS #8 and SPKI. */
export type RsaKeyPair = { privateKeyPem: string; publicKeyPem: string };

/** Secrets of an installation, created on first use and kept beside the key ring. Names are kebab-case. */
export type InstallationSecrets = {
  /** 32 random bytes. */
  secret(name: string): Promise<Buffer>;
  /** Reads an existing secret; undefined otherwise. */
  existing(name: string): Promise<Buffer | undefined>;
  /** RSA, 2048 bits. */
  rsaKeyPair(name: string): Promise<RsaKeyPair>;
};

const makeKeyPair = promisify(generateKeyPair);

/** Files in `installation/` of KEY_DIR, and of KEY_MIRROR_DIR if given. Concurrent starts agree on them. */
export function installationSecrets(keyDir: string, mirrorDir?: string): InstallationSecrets {
  const files = agreedFiles(keyDir, mirrorDir);
  return {
    secret: async (name) => files.keep(`${kebab(name)}.secret`, async () => randomBytes(32)),
    existing: async (name) => files.existing(`${kebab(name)}.secret`),
    rsaKeyPair: async (name) => readKeyPair(await files.keep(`${kebab(name)}.pem`, makePem)),
  };
}

function kebab(name: string): string {
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`The name of a secret must be kebab-case, not ${name}.`);
  return name;
}

/** A new key pair in its file format. */
export async function makePem(): Promise<Buffer> {
  const { privateKey, publicKey } = await makeKeyPair("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return Buffer.from(privateKey + publicKey);
}

/** Splits a key file into its two PEM texts. */
export function readKeyPair(file: Buffer): RsaKeyPair {
  const text = file.toString("utf8");
  const end = text.indexOf("-----BEGIN PUBLIC KEY-----");
  return { privateKeyPem: text.slice(0, end), publicKeyPem: text.slice(end) };
}
