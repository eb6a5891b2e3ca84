import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../infra/key-ring/durable-files.ts";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { createVault } from "../../services/vault/postgres-vault.ts";
import { RecordGone } from "../../services/vault/vault.ts";
import type { Found, Scanner } from "./scanner.ts";
import type { Site } from "./site.ts";

/** Copies Postgres' folder while it runs, as its manual describes. */
export async function backUp({ pool, folders }: Site): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_backup_start('privacy', true)");
    copyLiving(folders.data, folders.backup);
    const { rows } = await client.query<{ label: string }>(
      "select labelfile as label from pg_backup_stop(false)",
    );
    const cluster = join(folders.backup, "cluster");
    writeFileSync(join(cluster, "backup_label"), rows[0]?.label ?? "");
    // The log goes on until the copy was complete, and recovery needs it up to there.
    rmSync(join(cluster, "pg_wal"), { recursive: true });
    copyLiving(join(folders.data, "cluster", "pg_wal"), join(cluster, "pg_wal"));
  } finally {
    client.release();
  }
}

/** Files that Postgres removes meanwhile are no part of a backup: recovery makes what it needs of them. */
function copyLiving(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyLiving(source, target);
    else if (entry.name !== "postmaster.pid") copyUnlessGone(source, target);
  }
}

function copyUnlessGone(source: string, target: string): void {
  try {
    copyFileSync(source, target);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

export type Restored = {
  /** Records that the backup holds in full. */
  readonly held: number;
  /** Of these, destroyed since: and whether the backup gave one back. */
  readonly destroyed: number;
  readonly givenBack: number;
  /** Of the others: those that could be read, and whose words were in them. */
  readonly kept: number;
  readonly readable: number;
  readonly words: readonly Found[];
};

/** Restores the backup beside today's keys, and tries to open every record in it. */
export async function restore(
  { folders }: Site,
  destroyedSince: ReadonlySet<string>,
  scanner: Scanner,
): Promise<Restored> {
  await using closing = new AsyncDisposableStack();
  const server = await startEmbedded({ directory: folders.backup });
  closing.defer(() => server.stop());
  const pool = closing.adopt(createPool(server.connectionString), (open) => open.end());
  const now = () => new Date();
  const keyRing = await openKeyRing({ directory: folders.keys, mirror: folders.mirror, now });
  closing.defer(() => keyRing.close());
  const vault = createVault({ pool, keyRing, now });
  const { rows } = await pool.query<{ id: string }>(
    "select record_id as id from vault_records where destroyed_at is null",
  );
  const readable: string[] = [];
  const words: Found[] = [];
  for (const { id } of rows) {
    try {
      const body = await vault.openBytes(id);
      readable.push(id);
      words.push(...scanner.scanBytes(Buffer.from(body), id));
    } catch (error) {
      if (!(error instanceof RecordGone)) throw error;
    }
  }
  const destroyed = rows.filter(({ id }) => destroyedSince.has(id)).length;
  const givenBack = readable.filter((id) => destroyedSince.has(id)).length;
  return {
    ...{ held: rows.length, destroyed, givenBack, words },
    ...{ kept: rows.length - destroyed, readable: readable.length - givenBack },
  };
}
