import { type CheckpointBook, openCheckpointBook } from "../../infra/audit/checkpoint-book.ts";
import type { Config } from "../../infra/config.ts";
import { installationSecrets } from "../../infra/key-ring/installation-secrets.ts";

/** The installation's book of signed checkpoints: beside its keys, and in their mirror. */
export async function openAuditBook(
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">,
): Promise<CheckpointBook> {
  const folders = [config.KEY_DIR, ...(config.KEY_MIRROR_DIR ? [config.KEY_MIRROR_DIR] : [])];
  const keys = await installationSecrets(config.KEY_DIR, config.KEY_MIRROR_DIR).rsaKeyPair("audit");
  return openCheckpointBook({ folders, keys });
}
