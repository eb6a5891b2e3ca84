import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { RsaKeyPair } from "../key-ring/installation-secrets.ts";

/** Signs for this installation, so that others can check with its public key: RSA with SHA-256, in base64. */
export type Signer = {
  sign(bytes: Buffer): string;
  /** SPKI. */
  readonly publicKeyPem: string;
};

export function createSigner({ privateKeyPem, publicKeyPem }: RsaKeyPair): Signer {
  const privateKey = createPrivateKey(privateKeyPem);
  return { sign: (bytes) => sign("sha256", bytes, privateKey).toString("base64"), publicKeyPem };
}

/** Whether a signature over these bytes was made with the other half of a public key. */
export function isSignedBy(publicKeyPem: string, bytes: Buffer, signature: string): boolean {
  return verify("sha256", bytes, createPublicKey(publicKeyPem), Buffer.from(signature, "base64"));
}
