import { type CheckpointBook, openCheckpointBook } from "../../infra/audit/checkpoint-book.ts";
import type { Signer } from "../../infra/audit/signer.ts";
import { signerKeys } from "../../infra/audit/signer-keys.ts";
import type { Config } from "../../infra/config.ts";
import { agreedFiles } from "../../infra/key-ring/agreed-files.ts";

/** The installation's book of signed checkpoints, beside its keys and in their mirror, and who signs in it. */
export async function openAuditBook(
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">,
): Promise<{ book: CheckpointBook; signer: Signer }> {
  const folders = [config.KEY_DIR, ...(config.KEY_MIRROR_DIR ? [config.KEY_MIRROR_DIR] : [])];
  const keys = signerKeys(agreedFiles(config.KEY_DIR, config.KEY_MIRROR_DIR));
  return { book: openCheckpointBook({ folders, keys }), signer: await keys.current() };
}
