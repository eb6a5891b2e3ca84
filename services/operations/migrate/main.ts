import pg from "pg";
import { readConfig } from "../../../infra/config/config.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { reachDatabase } from "../../../infra/postgres/reach-database.ts";
import { grantService, serviceRoles } from "../../../infra/postgres/service-role.ts";
import { failCommand, OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";

// npm run migrate [-- --grant ROLE]: run as the owner of the tables, before the product runs as ROLE.

async function run(): Promise<void> {
  const { grant } = commandLine("migrate").options;
  const { DATABASE_URL } = readConfig();
  if (DATABASE_URL === undefined)
    throw new OperatorError(
      "Set DATABASE_URL to the address of the owner: the embedded Postgres has no roles.",
    );
  await reachDatabase(DATABASE_URL);
  await migrate(DATABASE_URL);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    await client.query("begin");
    const roles = grant === undefined ? await serviceRoles(client) : [grant];
    for (const role of roles) await grantService(client, role);
    await client.query("commit");
    const words = roles.map((role) => `${role} may read and append events, and not change them.`);
    process.stdout.write(`${["The schema is up to date.", ...words].join("\n")}\n`);
  } finally {
    await client.end();
  }
}

try {
  await run();
} catch (error) {
  failCommand(error);
}
