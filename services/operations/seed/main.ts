import { performance } from "node:perf_hooks";
import { readConfig } from "../../../infra/config/config.ts";
import { failCommand, OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { openInfrastructure } from "../../composition/infrastructure.ts";
import { seedBulk } from "./bulk-orders.ts";
import { refuseWhereOrdersAre, seed } from "./seed.ts";

// npm run seed: believable data for demonstrations and trials. Never for an installation with real orders.

const usual = { orders: 320, tickets: 60, drafts: 12 };

async function main(): Promise<void> {
  /** `orders`: past ones in bulk instead. */
  const { orders, seed: number, add } = commandLine("seed").options;
  const config = readConfig();
  if (config.NODE_ENV === "production")
    throw new OperatorError("NODE_ENV is production: invented orders must not be created there.");
  if (config.EVENTSTORE_URL !== undefined && orders !== undefined)
    throw new OperatorError(
      "--orders writes straight into Postgres: unset EVENTSTORE_URL, then copy the log.",
    );
  const started = performance.now();
  await using closing = new AsyncDisposableStack();
  const stopping = new AbortController();
  const infrastructure = await openInfrastructure("seed", config, closing, stopping.signal);
  // Deferred first: connections cut by the stopping server then lose nothing.
  closing.defer(() => stopping.abort());
  if (orders === undefined) {
    const made = await seed(infrastructure, { ...usual, seed: number, add });
    say(`${made.orders} orders, ${made.tickets} tickets and ${made.drafts} saved drafts`, started);
    return;
  }
  await refuseWhereOrdersAre(infrastructure, add);
  const events = await seedBulk(infrastructure, { orders, seed: number });
  say(`${orders.toLocaleString("en-GB")} past orders of ${events.toLocaleString("en-GB")} events`, started);
}

const say = (what: string, started: number): void => {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(`Created ${what} in ${seconds} s. The read models catch up when the product runs.\n`);
};

main().catch((error: unknown) => {
  failCommand(error);
});
