import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { fileError } from "../process/operator-error.ts";
import { addressOf, ownerLock } from "./embedded-owner.ts";
import { findRunning } from "./embedded-process.ts";

/**
 * Address of a data folder's embedded server while a living process owns it, for commands that run alongside the
 * product. Undefined without an owner: the caller may then own it.
 * @throws OperatorError when the folder belongs to another user
 */
export async function addressOfOwned(directory: string): Promise<string | undefined> {
  const [cluster, file] = [join(directory, "cluster"), join(directory, "password")];
  const running = existsSync(file) ? findRunning(cluster) : undefined;
  if (!running) return undefined;
  const address = addressOf({ directory, cluster, password: readPassword(file) }, running.port);
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined); // The query on it fails and says why.
  try {
    await client.connect();
    const { rowCount } = await client.query(
      "select 1 from pg_locks where locktype = 'advisory' and objid = $1 and granted",
      [ownerLock],
    );
    return rowCount ? address : undefined;
  } catch {
    // Starting or stopping: the next owner finds out which.
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw fileError(error) ?? error;
  }
}
