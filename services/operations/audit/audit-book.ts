import { type AuditProgress, openAuditProgress } from "../../../infra/audit/audit-progress.ts";
import { type AuditedTree, treeInDatabase } from "../../../infra/audit/audited-tree.ts";
import { type CheckpointBook, openCheckpointBook } from "../../../infra/audit/checkpoint-book.ts";
import { type Signer, signerKeys } from "../../../infra/audit/signer-keys.ts";
import type { Config } from "../../../infra/config/config.ts";
import { agreedFiles } from "../../../infra/key-ring/agreed-files.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { type CheckpointFile, openCheckpointFile } from "../../../infra/transparency/checkpoint-file.ts";
import { logKeyFiles, logSigners, retiredKeys } from "../../../infra/transparency/log-keys.ts";
import { purgeDetails } from "../../compliance/purge-leaf.ts";

type KeyFolders = Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">;

/** The transparency log's newest checkpoint, stored with the keys and in their mirror. */
export const checkpointFileOf = (config: KeyFolders): CheckpointFile => openCheckpointFile(foldersOf(config));

/** What audits keep from one to the next, beside the keys. */
export const auditProgressOf = ({ KEY_DIR }: KeyFolders): AuditProgress => openAuditProgress(KEY_DIR);

/** The transparency log's tree, whose checkpoints count when a key of this installation signed them. */
export function auditedTreeOf(config: KeyFolders, pool: Pool, now: () => Date): AuditedTree {
  const files = agreedFiles(config.KEY_DIR, config.KEY_MIRROR_DIR);
  return treeInDatabase(pool, checkpointFileOf(config), {
    keysOf: async (origin) => [
      ...(await logSigners(logKeyFiles(files), origin, now())).map(({ key }) => key),
      ...(await retiredKeys(files, origin, now()))
        .filter(({ isRevoked }) => !isRevoked)
        .map(({ key }) => key),
    ],
    detailsOf: purgeDetails,
  });
}

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
