import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { RsaKeyPair } from "../key-ring/installation-secrets.ts";

/** Signs for this installation, so that others can check with its public key: RSA with SHA-256, in base64. */
export type Signer = {
  sign(bytes: Buffer): string;
  isSigned(bytes: Buffer, signature: string): boolean;
  /** SPKI. */
  readonly publicKeyPem: string;
};

export function createSigner({ privateKeyPem, publicKeyPem }: RsaKeyPair): Signer {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(publicKeyPem);
  return {
    sign: (bytes) => sign("sha256", bytes, privateKey).toString("base64"),
    isSigned: (bytes, signature) => verify("sha256", bytes, publicKey, Buffer.from(signature, "base64")),
    publicKeyPem,
  };
}
