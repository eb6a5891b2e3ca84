import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { AgreedFiles } from "../key-ring/durable-files.ts";
import { makePem, type RsaKeyPair, readKeyPair } from "../key-ring/installation-secrets.ts";
import { type KeyGeneration, type KeyGenerations, keyGenerations } from "../key-ring/signing-keys.ts";
import { OperatorError } from "../process/operator-error.ts";

/** A signing key of the installation, current or past. */
export type SignerKey = {
  /** Null for the first. */
  readonly madeAt: Date | null;
  /** SPKI. */
  readonly publicKeyPem: string;
  /** Undefined once replaced: the private part is erased. */
  readonly signer: Signer | undefined;
};

/** The audit's keys. Each is signed by its predecessor: the first public key is enough to verify the last. */
export type SignerKeys = {
  /** Oldest first, at least one. @throws OperatorError when one was not signed by its predecessor */
  read(): Promise<readonly SignerKey[]>;
  current(): Promise<Signer>;
  /** Makes the next key, has the newest sign it, and erases that one's private part. Safe to repeat after a crash. */
  succeed(at: Date): Promise<SignerKey>;
};

const endorsement = /^# Signed by its predecessor: (\S+)$/m;
const publicPart = /-----BEGIN PUBLIC KEY-----[\s\S]+?-----END PUBLIC KEY-----\n/;

export function signerKeys(files: AgreedFiles): SignerKeys {
  const generations = keyGenerations(files, { name: "audit", extension: "pem", make: makePem });
  async function read(): Promise<readonly SignerKey[]> {
    const there = await generations.read();
    const keys = (there.length > 0 ? there : await generations.open()).map(keyOf);
    for (const [at, { generation, publicKeyPem }] of keys.entries()) {
      const before = keys[at - 1];
      if (before) expectEndorsed(generation, publicKeyPem, before.publicKeyPem);
    }
    return keys;
  }
  const current = async () => signerIn(await read());

  return {
    read,
    current,
    succeed: async (at) => {
      const { privateKeyPem, publicKeyPem } = readKeyPair(await makePem());
      const signature = (await current()).sign(Buffer.from(publicKeyPem));
      const text = `${privateKeyPem}${publicKeyPem}# Signed by its predecessor: ${signature}\n`;
      const next = await generations.begin(at, Buffer.from(text));
      await silenceAllBut(next, generations, files);
      return keyOf(next);
    },
  };
}

function keyOf(generation: KeyGeneration): SignerKey & { generation: KeyGeneration } {
  const text = generation.bytes.toString("utf8");
  const publicKeyPem = publicPart.exec(text)?.[0] ?? "";
  const privateKeyPem = text.slice(0, text.indexOf(publicKeyPem)).trim();
  return {
    generation,
    madeAt: generation.madeAt,
    publicKeyPem,
    signer: privateKeyPem === "" ? undefined : createSigner({ privateKeyPem, publicKeyPem }),
  };
}

function expectEndorsed({ file, bytes }: KeyGeneration, publicKeyPem: string, by: string): void {
  const [, signature = ""] = endorsement.exec(bytes.toString("utf8")) ?? [];
  if (isSignedBy(by, Buffer.from(publicKeyPem), signature)) return;
  throw new OperatorError(
    `${file} in the key folder was not signed by its predecessor: it was put there by hand. Compare KEY_DIR with its mirror, and remove the file that does not belong.`,
  );
}

function signerIn(keys: readonly SignerKey[]): Signer {
  const signer = keys.at(-1)?.signer;
  if (!signer)
    throw new OperatorError("The newest audit key has no private part: restore it from the mirror.");
  return signer;
}

async function silenceAllBut(
  next: KeyGeneration,
  generations: KeyGenerations,
  files: AgreedFiles,
): Promise<void> {
  for (const { file, bytes } of await generations.read()) {
    if (file !== next.file) await files.blank(file, bytes.indexOf("-----BEGIN PUBLIC KEY-----"));
  }
}

/** Signs for this installation, verifiable with its public key: RSA with SHA-256, in base64. */
export type Signer = {
  sign(bytes: Buffer): string;
  /** SPKI. */
  readonly publicKeyPem: string;
};

function createSigner({ privateKeyPem, publicKeyPem }: RsaKeyPair): Signer {
  const privateKey = createPrivateKey(privateKeyPem);
  return { sign: (bytes) => sign("sha256", bytes, privateKey).toString("base64"), publicKeyPem };
}

export function isSignedBy(publicKeyPem: string, bytes: Buffer, signature: string): boolean {
  return verify("sha256", bytes, createPublicKey(publicKeyPem), Buffer.from(signature, "base64"));
}
