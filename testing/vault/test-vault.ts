import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
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

/** Opens a vault on a migrated database, with a mirrored key ring in a temporary folder. */
export async function testVault(connectionString: string): Promise<TestVault> {
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
    vault: createVault({ pool, keyRing, now: () => new Date() }),
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
