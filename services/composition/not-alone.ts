import { type Config, ConfigurationError } from "../../infra/config.ts";

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
