import type { Config } from "../config/config.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { type InstallationSecrets, installationSecrets } from "./installation-secrets.ts";
import { holdToKeyFolder } from "./key-folder-bond.ts";

/**
 * The secrets of the configured key folder, once verified as the one the database is bound to.
 * @throws OperatorError when it is not
 */
export async function openBoundSecrets(
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR" | "ACCEPT_NEW_KEYS">,
  pool: Pool,
  log: Pick<Log, "warn">,
): Promise<InstallationSecrets> {
  const secrets = installationSecrets(config.KEY_DIR, config.KEY_MIRROR_DIR);
  await holdToKeyFolder({
    pool,
    secrets,
    directory: config.KEY_DIR,
    givenUp: config.ACCEPT_NEW_KEYS,
    warn: (words) => log.warn(words),
  });
  return secrets;
}
