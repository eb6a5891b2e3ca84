import { type Config, ConfigurationError } from "../../infra/config/config.ts";
import { sandboxedOf } from "./provider-modes.ts";

/**
 * Refuses a standalone process on the embedded Postgres, which has one owner. That KEY_DIR is the same folder
 * everywhere is checked when the database is reached, since it is bound to its keys.
 * @param what begins the sentence, such as "A standalone gateway"
 * @throws ConfigurationError
 */
export function refuseAlone(config: Pick<Config, "DATABASE_URL">, what: string): void {
  if (config.DATABASE_URL !== undefined) return;
  throw new ConfigurationError(
    `${what} shares its database with other processes, which the embedded Postgres cannot be: set DATABASE_URL, and KEY_DIR to the key folder they all use. npm start needs neither: it runs everything in one process.`,
  );
}

/**
 * Refuses an embedded sandbox when other processes must use the same one.
 * @throws ConfigurationError
 */
export function refuseOwnSandbox(config: Pick<Config, "SANDBOX_URL" | "providers">, what: string): void {
  const sandboxed = [...sandboxedOf(config.providers)];
  if (sandboxed.length === 0 || config.SANDBOX_URL !== undefined) return;
  throw new ConfigurationError(
    `${what} shares its providers with other processes, and would use a sandbox of its own for ${sandboxed.join(", ")}: start one with npm run sandbox, and set SANDBOX_URL to its address, such as http://127.0.0.1:3010, for all of them. Or set the keys of real providers.`,
  );
}
