import { createHash } from "node:crypto";
import type { Signer } from "../../infra/audit/signer.ts";

/** A table that whoever takes it along can check without us. */
export type SignedExport = {
  readonly name: string;
  /** ISO 8601 in UTC. */
  readonly madeAt: string;
  readonly rows: number;
  readonly csv: string;
  /** Hex, over the bytes of `csv` in UTF-8. */
  readonly sha256: string;
  /** RSA with SHA-256 over the same bytes, in base64. */
  readonly signature: string;
  readonly publicKeyPem: string;
  readonly howToCheck: string;
};

/** Signs a table as it leaves the house. */
export function signExport(
  table: Pick<SignedExport, "name" | "madeAt" | "rows" | "csv">,
  signer: Signer,
): SignedExport {
  const bytes = Buffer.from(table.csv);
  return {
    ...table,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    signature: signer.sign(bytes),
    publicKeyPem: signer.publicKeyPem,
    howToCheck: [
      "jq -r .publicKeyPem export.json > key.pem",
      "jq -r .signature export.json | base64 -d > signature.bin",
      "jq -j .csv export.json | openssl dgst -sha256 -verify key.pem -signature signature.bin",
    ].join(" && "),
  };
}
