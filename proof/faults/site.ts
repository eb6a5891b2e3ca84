import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "../../infra/config/config.ts";
import { installationSecrets } from "../../infra/key-ring/installation-secrets.ts";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { freePort } from "../../infra/process/free-port.ts";
import { OperatorError } from "../../infra/process/operator-error.ts";
import { type KeptProcess, keepRunning, type Role } from "../../infra/setup/kept-process.ts";
import { planCluster } from "../../services/operations/cluster/plan.ts";
import { type Gateways, startProxy, watchGateways } from "../../services/operations/cluster/proxy.ts";
import { sandboxKeysOf } from "../../services/providers/sandbox/addresses.ts";
import { type CardDesk, findCardDesk } from "../speed/load/order.ts";

/** The product as processes on a Postgres and folders of their own, behind one address, as `npm run cluster` runs it. */
export type Site = {
  /** Of the proxy in front of the gateways. */
  readonly url: string;
  /** Of each gateway, without the proxy. */
  readonly gateways: readonly string[];
  readonly cards: CardDesk;
  readonly connectionString: string;
  readonly pool: Pool;
  /** With which the sandbox signs its webhooks. */
  readonly webhookSecret: string;
};

type SiteOptions = {
  /** In addition to short waits and little output. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the sandbox sends its webhooks instead of the proxy in front of the gateways. */
  readonly deliversTo?: string;
  /** Name of a planted fault, put into each process as it starts. */
  readonly plant?: string | undefined;
};

/** One of each kind but the gateways: on a few cores, more would only be slower. */
const left: ReadonlySet<string> = new Set(["projections-2", "worker-2"]);
const readyWithinMs = 120_000;
const mostLines = 200;

/** @throws OperatorError, with what the processes said, when they are not ready in time */
export async function startSite(
  closing: AsyncDisposableStack,
  { settings = {}, deliversTo, plant }: SiteOptions = {},
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "certificates-faults-"));
  closing.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const server = await startEmbedded({
    directory: join(folder, "data"),
    settings: ["max_connections=300"],
  });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  const [port, cardPort] = [await freePort(), await freePort()];
  const own = {
    NODE_ENV: "test",
    DATA_DIR: join(folder, "data"),
    KEY_DIR: join(folder, "keys"),
    SANDBOX_CARD_PORT: String(cardPort),
    LOG_LEVEL: "error",
    PURGE_AFTER_SECONDS: "1",
    SWEEP_EVERY_SECONDS: "2",
    ...settings,
  };
  const url = `http://localhost:${port}`;
  const plan = await planCluster(readConfig(own, folder), {
    databaseUrl: connectionString,
    redisUrl: undefined,
    publicUrl: url,
    port,
  });
  const gateways = watchGateways(plan.gateways);
  closing.defer(() => gateways.stop());
  const front = await startProxy({ gateways, sandbox: plan.sandbox }, "127.0.0.1", port);
  closing.defer(() => front.close());
  const last = {
    ...(deliversTo !== undefined && { SANDBOX_DELIVERS_TO: deliversTo }),
    ...(plant !== undefined && plantedIn(plant)),
  };
  const roles = plan.roles
    .filter(({ name }) => !left.has(name))
    .map((role) => ({ ...role, env: { ...own, ...role.env, ...last } }));
  await startAll(roles, gateways, plan.gateways.length, closing);
  const pool = closing.adopt(createPool(connectionString, 4), (open) => open.end());
  return {
    url,
    gateways: plan.gateways.map((gateway) => `http://${gateway.host}:${gateway.port}`),
    cards: await findCardDesk(url),
    connectionString,
    pool,
    webhookSecret: sandboxKeysOf(await installationSecrets(own.KEY_DIR, undefined).secret("sandbox"))
      .stripeWebhookSecret,
  };
}

/** Node loads this file before the process's own. */
const plantedIn = (plant: string) => ({
  PLANTED_FAULT: plant,
  NODE_OPTIONS: `--import ${new URL("preload.ts", import.meta.url).href}`,
});

async function startAll(
  roles: readonly Role[],
  gateways: Gateways,
  expected: number,
  closing: AsyncDisposableStack,
): Promise<void> {
  const lines: string[] = [];
  const kept: KeptProcess[] = roles.map((role) =>
    keepRunning(role, (line) => {
      lines.push(`${role.name} ${line}`);
      if (lines.length > mostLines) lines.shift();
    }),
  );
  closing.defer(() => Promise.all(kept.map((process) => process.stop())).then(() => undefined));
  const giveUp = AbortSignal.timeout(readyWithinMs);
  const late = new Promise<never>((_, fail) => {
    giveUp.addEventListener("abort", () => fail(new OperatorError("not ready in time")));
  });
  try {
    await Promise.race([Promise.all(kept.map(({ ready }) => ready)), late]);
    while (gateways.inTurn().length < expected) await Promise.race([delay(100), late]);
  } catch (cause) {
    throw new OperatorError(`The processes did not start. They said:\n${lines.join("\n")}`, { cause });
  }
}
