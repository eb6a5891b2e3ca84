import { type AuditProgress, openAuditProgress } from "../../../infra/audit/audit-progress.ts";
import { type AuditedTree, treeInDatabase } from "../../../infra/audit/audited-tree.ts";
import { type CheckpointBook, openCheckpointBook } from "../../../infra/audit/checkpoint-book.ts";
import { type Signer, signerKeys } from "../../../infra/audit/signer-keys.ts";
import type { Config } from "../../../infra/config/config.ts";
import { agreedFiles } from "../../../infra/key-ring/durable-files.ts";
import type { ReadSignedEvent } from "../../../infra/log-binding/log-binding.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { type CheckpointFile, openCheckpointFile } from "../../../infra/transparency/checkpoint-file.ts";
import { logKeyFiles, logSigners, retiredKeys } from "../../../infra/transparency/log-keys.ts";
import { openNewestLeaf } from "../../../infra/transparency/newest-leaf.ts";
import { purgeDetails } from "../../compliance/purge-leaf.ts";

type KeyFolders = Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">;

/** The transparency log's newest checkpoint, stored with the keys and in their mirror. */
export const checkpointFileOf = (config: KeyFolders): CheckpointFile => openCheckpointFile(foldersOf(config));

/** What audits keep from one to the next, beside the keys. */
export const auditProgressOf = ({ KEY_DIR }: KeyFolders): AuditProgress => openAuditProgress(KEY_DIR);

/** The transparency log's tree, whose checkpoints count when a key of this installation signed them. */
export const auditedTreeOf = (config: KeyFolders, pool: Pool, now: () => Date): AuditedTree =>
  treeInDatabase(pool, checkpointFileOf(config), {
    keysOf: logKeysOf(config, now),
    detailsOf: purgeDetails,
  });

/** Reads the newest event that was signed. Where only an older build has signed, that is in its book. */
export function signedEventOf(config: KeyFolders, now: () => Date): ReadSignedEvent {
  const [file, book] = [checkpointFileOf(config), oldBookOf(config)];
  return async () => {
    const kept = await file.readLeaf();
    if (kept) return openNewestLeaf(kept.note, logKeysOf(config, now));
    const last = await book.last();
    return last && { ...last, size: last.count };
  };
}

/** Checkpoints that older builds signed. */
export const oldBookOf = (config: KeyFolders): CheckpointBook =>
  openCheckpointBook({ folders: foldersOf(config), keys: signerKeysOf(config) });

/** Signs files for auditors. */
export const openSigner = (config: KeyFolders): Promise<Signer> => signerKeysOf(config).current();

/** Keys that count for the log with a name: those that sign, and retired ones. */
function logKeysOf(config: KeyFolders, now: () => Date): AuditedTree["keysOf"] {
  const files = agreedFiles(config.KEY_DIR, config.KEY_MIRROR_DIR);
  return async (origin) => [
    ...(await logSigners(logKeyFiles(files), origin, now())).map(({ key }) => key),
    ...(await retiredKeys(files, origin, now())).filter(({ isRevoked }) => !isRevoked).map(({ key }) => key),
  ];
}

const foldersOf = ({ KEY_DIR, KEY_MIRROR_DIR }: KeyFolders): string[] => [
  KEY_DIR,
  ...(KEY_MIRROR_DIR ? [KEY_MIRROR_DIR] : []),
];

const signerKeysOf = ({ KEY_DIR, KEY_MIRROR_DIR }: KeyFolders) =>
  signerKeys(agreedFiles(KEY_DIR, KEY_MIRROR_DIR));
