import { createHash } from "node:crypto";
import { z } from "zod";
import type { Signer } from "../../infra/audit/signer.ts";

/** What a table is, and what was left out of it. */
const exportedTable = z.object({
  name: z.string(),
  /** The filters it was asked for with; none is everything. */
  only: z.record(z.string(), z.unknown()),
  /** ISO 8601 in UTC. */
  madeAt: z.string(),
  rows: z.int(),
  csv: z.string(),
});
export type ExportedTable = Readonly<z.output<typeof exportedTable>>;

/** A table that whoever takes it along can check without us. */
export const signedExport = exportedTable
  .extend({
    /** Hex, over the bytes of `csv` in UTF-8. */
    sha256: z.string(),
    /** What is signed: all of the above in lines, the digest in the place of the table. */
    statement: z.string(),
    /** RSA with SHA-256 over the bytes of `statement`, in base64. */
    signature: z.string(),
    publicKeyPem: z.string(),
    howToCheck: z.string(),
  })
  .meta({ id: "SignedExport", description: "A table that whoever takes it along can check without us" });
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
