import { type CheckpointBook, openCheckpointBook } from "../../../infra/audit/checkpoint-book.ts";
import { type Signer, signerKeys } from "../../../infra/audit/signer-keys.ts";
import type { Config } from "../../../infra/config/config.ts";
import { agreedFiles } from "../../../infra/key-ring/agreed-files.ts";
import { type CheckpointFile, openCheckpointFile } from "../../../infra/transparency/checkpoint-file.ts";

type KeyFolders = Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">;

/** The transparency log's newest checkpoint, stored with the keys and in their mirror. */
export const checkpointFileOf = (config: KeyFolders): CheckpointFile => openCheckpointFile(foldersOf(config));

/** The installation's signed checkpoints, stored with its keys and in their mirror. */
export const auditBookOf = (config: KeyFolders): CheckpointBook =>
  openCheckpointBook({ folders: foldersOf(config), keys: keysOf(config) });

export async function openAuditBook(config: KeyFolders): Promise<{ book: CheckpointBook; signer: Signer }> {
  return { book: auditBookOf(config), signer: await keysOf(config).current() };
}

const foldersOf = ({ KEY_DIR, KEY_MIRROR_DIR }: KeyFolders): string[] => [
  KEY_DIR,
  ...(KEY_MIRROR_DIR ? [KEY_MIRROR_DIR] : []),
];

const keysOf = ({ KEY_DIR, KEY_MIRROR_DIR }: KeyFolders) => signerKeys(agreedFiles(KEY_DIR, KEY_MIRROR_DIR));
