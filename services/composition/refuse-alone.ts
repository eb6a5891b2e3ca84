import { type Config, ConfigurationError } from "../../infra/config/config.ts";
import { standInsOf } from "./provider-modes.ts";

/**
 * Refuses what a process cannot share with the others it needs: the embedded Postgres has one owner. Whether KEY_DIR is the same folder everywhere is
 * seen when the database is reached, for that is bound to its keys.
 * @param what begins the sentence, such as "A gateway by itself"
 * @throws ConfigurationError
 */
export function refuseAlone(config: Pick<Config, "DATABASE_URL">, what: string): void {
  if (config.DATABASE_URL !== undefined) return;
  throw new ConfigurationError(
    `${what} shares its database with other processes, which the embedded Postgres cannot be: set DATABASE_URL, and KEY_DIR to the folder of keys that they all use. npm start needs neither, for it runs everything in one process.`,
  );
}

/**
 * Refuses a sandbox of a process's own where others must deal with the same one.
 * @throws ConfigurationError
 */
export function refuseOwnSandbox(config: Pick<Config, "SANDBOX_URL" | "providers">, what: string): void {
  const standIns = [...standInsOf(config.providers)];
  if (standIns.length === 0 || config.SANDBOX_URL !== undefined) return;
  throw new ConfigurationError(
    `${what} deals with the same outside world as other processes, and a sandbox stands in for ${standIns.join(", ")}: start one with npm run sandbox, and set SANDBOX_URL to its address, such as http://127.0.0.1:3010, for it and for all of them. Or set the keys of real providers.`,
  );
}
