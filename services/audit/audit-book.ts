import { type CheckpointBook, openCheckpointBook } from "../../infra/audit/checkpoint-book.ts";
import { createSigner, type Signer } from "../../infra/audit/signer.ts";
import type { Config } from "../../infra/config.ts";
import { installationSecrets } from "../../infra/key-ring/installation-secrets.ts";

/** The installation's book of signed checkpoints, beside its keys and in their mirror, and who signs in it. */
export async function openAuditBook(
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">,
): Promise<{ book: CheckpointBook; signer: Signer }> {
  const folders = [config.KEY_DIR, ...(config.KEY_MIRROR_DIR ? [config.KEY_MIRROR_DIR] : [])];
  const secrets = installationSecrets(config.KEY_DIR, config.KEY_MIRROR_DIR);
  const signer = createSigner(await secrets.rsaKeyPair("audit"));
  return { book: openCheckpointBook({ folders, signer }), signer };
}
