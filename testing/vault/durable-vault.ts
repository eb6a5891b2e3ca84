import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { createVault } from "../../services/vault/postgres-vault.ts";
import type { Vault } from "../../services/vault/vault.ts";

/** A vault on a separate embedded server with durable writes; proves what is left on disk. */
export type DurableVault = {
  vault: Vault;
  pool: Pool;
  keyRing: KeyRing;
  connectionString: string;
  stop: () => Promise<void>;
};

/** Starts a server on a new or existing data folder, and opens a vault on it with the keys of these folders. */
export async function startDurableVault(
  dataDir: string,
  keyDir: string,
  mirror?: string,
): Promise<DurableVault> {
  const server = await startEmbedded({ directory: dataDir });
  await migrate(server.connectionString);
  const pool = createPool(server.connectionString);
  pool.on("error", () => undefined); // The stopping server cuts off idle connections.
  const keyRing = await openKeyRing({ directory: keyDir, mirror, now: () => new Date() });
  const stop = async () => {
    await pool.end();
    await server.stop();
  };
  const { connectionString } = server;
  return {
    vault: createVault({ pool, keyRing, now: () => new Date() }),
    pool,
    keyRing,
    connectionString,
    stop,
  };
}
