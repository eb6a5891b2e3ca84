import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { createVault } from "../../services/vault/postgres-vault.ts";
import type { RecordToSeal, Vault } from "../../services/vault/vault.ts";

/** A vault with temporary key folders. `dispose` ends its pool and removes its keys. */
export type TestVault = {
  vault: Vault;
  pool: Pool;
  keyRing: KeyRing;
  keyDir: string;
  mirrorDir: string;
  dispose: () => Promise<void>;
};

/**
 * Opens a vault on a migrated database, with a mirrored key ring in a temporary folder. With `storedByAppends` its
 * event store must take rows of `vaultTable` along.
 */
export async function testVault(
  connectionString: string,
  { storedByAppends = false } = {},
): Promise<TestVault> {
  const root = mkdtempSync(join(tmpdir(), "certificates-vault-"));
  const keyDir = join(root, "keys");
  const mirrorDir = mkdtempSync(join(root, "mirror-"));
  const keyRing = await openKeyRing({ directory: keyDir, mirror: mirrorDir, now: () => new Date() });
  const pool = createPool(connectionString);
  pool.on("error", () => undefined); // Dropping a database cuts off closing connections.
  const dispose = async () => {
    await pool.end();
    rmSync(root, { recursive: true, force: true });
  };
  return {
    vault: createVault({ pool, keyRing, now: () => new Date(), storedByAppends }),
    pool,
    keyRing,
    keyDir,
    mirrorDir,
    dispose,
  };
}

/** An application record, with a test's overrides. */
export function recordFor(overrides: Partial<RecordToSeal> = {}): RecordToSeal {
  return {
    recordId: randomUUID(),
    subject: randomUUID(),
    dataClass: "application",
    kind: "application",
    schemaVersion: 1,
    body: { SurnameAtBirth: "Llywelyn" },
    dueAt: "2030-01-01T00:00:00.000Z",
    ...overrides,
  };
}

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
