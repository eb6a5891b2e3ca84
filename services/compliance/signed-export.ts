import { createHash } from "node:crypto";
import type { z } from "zod";
import type { exportedTable, signedExport } from "../../contract/compliance/registers.ts";
import type { Signer } from "../../infra/audit/signer-keys.ts";

export type ExportedTable = Readonly<z.output<typeof exportedTable>>;

export type SignedExport = Readonly<z.output<typeof signedExport>>;

/**
 * Signs a table as it leaves the house, together with what it is a table of: a file of some days, or of last year, cannot be passed off as
 * everything there is.
 */
export function signExport(table: ExportedTable, signer: Signer): SignedExport {
  const { name, only, madeAt, rows, csv } = table;
  const sha256 = createHash("sha256").update(csv).digest("hex");
  const statement = [
    `Register: ${name}`,
    `Only: ${JSON.stringify(only)}`,
    `Made at: ${madeAt}`,
    `Rows: ${rows}`,
    `SHA-256 of the table: ${sha256}`,
  ].join("\n");
  return {
    ...{ name, only, madeAt, rows, csv, sha256, statement },
    signature: signer.sign(Buffer.from(statement)),
    publicKeyPem: signer.publicKeyPem,
    howToCheck: [
      "jq -r .publicKeyPem export.json > key.pem",
      "jq -r .signature export.json | base64 -d > signature.bin",
      "jq -j .statement export.json | openssl dgst -sha256 -verify key.pem -signature signature.bin",
      'jq -j .statement export.json | grep "$(jq -j .csv export.json | sha256sum | cut -c 1-64)"',
    ].join(" && "),
  };
}
