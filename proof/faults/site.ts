import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../infra/config/config.ts";
import { openEventStore } from "../../infra/event-store/open-event-store.ts";
import { installationSecrets } from "../../infra/key-ring/installation-secrets.ts";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { freePort } from "../../infra/process/free-port.ts";
import type { Role } from "../../infra/setup/kept-process.ts";
import { root } from "../../infra/setup/steps.ts";
import { planCluster } from "../../services/operations/cluster/plan.ts";
import { startProxy, watchGateways } from "../../services/operations/cluster/proxy.ts";
import { sandboxKeysOf } from "../../services/providers/sandbox/addresses.ts";
import { ownSettings } from "../../testing/system/own-settings.ts";
import { type CardDesk, findCardDesk } from "../speed/load/order.ts";
import { type SiteProcess, startProcesses } from "./processes.ts";
import { type KeptRedis, startRedis } from "./redis.ts";
import { SiteLog } from "./site-log.ts";

/** The product as processes on a Postgres and folders of their own, behind one address, as `npm run cluster` runs it. */
export type Site = {
  /** Of the proxy in front of the gateways. */
  readonly url: string;
  /** Of each gateway, without the proxy. */
  readonly gateways: readonly string[];
  readonly cards: CardDesk;
  /** In the order in which they are named: the sandbox among them. */
  readonly processes: readonly SiteProcess[];
  /** Of Postgres, which is started again as often as it ends. */
  readonly dataDirectory: string;
  readonly connectionString: string;
  readonly redis: KeptRedis | undefined;
  readonly pool: Pool;
  readonly log: SiteLog;
  /** With which the sandbox signs its webhooks. */
  readonly webhookSecret: string;
};

type SiteOptions = {
  /** In addition to short waits and little output. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Of Postgres, as `name=value`, in addition to durable ones. */
  readonly postgres?: readonly string[];
  /** The project's folder of another build, whose processes start. */
  readonly folder?: string;
  /** Two workers and two processes for the read models, as there are two gateways. */
  readonly withTwoOfEach?: boolean;
  /** The log is in a fake EventStoreDB, a process of the site, and otherwise in Postgres. */
  readonly withEventStore?: boolean;
  /** Jobs and limits are kept in this machine's redis-server, and otherwise in Postgres and in each gateway. */
  readonly withRedis?: boolean;
  /** Where the sandbox sends its webhooks instead of the proxy in front of the gateways. */
  readonly deliversTo?: string;
  /** Name of a planted fault, put into each process as it starts. */
  readonly plant?: string | undefined;
  /** Called for each connection between two parts, to put something between them. */
  readonly between?: Between;
};

/** @param port of `to`. @returns the port to which `from` connects instead */
type Between = (from: string, to: string, port: number) => Promise<number>;

/** Unless asked for: on a few cores, more than one of each kind but the gateways would only be slower. */
const left: ReadonlySet<string> = new Set(["projections-2", "worker-2"]);

/** @throws OperatorError, with what the processes said, when they are not ready in time */
export async function startSite(closing: AsyncDisposableStack, options: SiteOptions = {}): Promise<Site> {
  const { settings = {}, postgres = [], deliversTo, plant } = options;
  const { folder: build = root, withTwoOfEach = false, withRedis = false, withEventStore = false } = options;
  const { between = async (_from, _to, same) => same } = options;
  const folder = mkdtempSync(join(tmpdir(), "certificates-faults-"));
  closing.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const dataDirectory = join(folder, "data");
  const server = await startEmbedded({
    directory: dataDirectory,
    settings: ["max_connections=300", ...postgres],
    mostDeaths: Number.POSITIVE_INFINITY,
  });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  const [port, cardPort] = [await freePort(), await freePort()];
  const redis = withRedis ? await startRedis(closing) : undefined;
  const eventStore = withEventStore ? await planEventStore(folder) : undefined;
  const own = {
    NODE_ENV: "test",
    DATA_DIR: dataDirectory,
    KEY_DIR: join(folder, "keys"),
    SANDBOX_CARD_PORT: String(cardPort),
    LOG_LEVEL: "error",
    PURGE_AFTER_SECONDS: "1",
    SWEEP_EVERY_SECONDS: "2",
    ...(eventStore && { EVENTSTORE_URL: eventStore.url }),
    ...settings,
  };
  const url = `http://localhost:${port}`;
  const plan = await planCluster(readConfig(own, folder), {
    databaseUrl: connectionString,
    redisUrl: redis?.url,
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
  const roles = await Promise.all(
    plan.roles
      .filter(({ name }) => withTwoOfEach || !left.has(name))
      .map(async (role) => {
        const env = { ...own, ...role.env, ...last };
        const connected = await connectedThrough(between, role.name, env);
        return { ...role, ...ownSettings(folder, { ...env, ...connected }) };
      }),
  );
  const all = { roles: [...(eventStore ? [eventStore.role] : []), ...roles], folder: build };
  const processes = await startProcesses(all, gateways, plan.gateways.length, closing);
  const pool = closing.adopt(createPool(connectionString, 4), (open) => open.end());
  const log = await openEventStore({ url: eventStore?.url, pool, connectionString });
  closing.defer(() => log.close());
  return {
    url,
    gateways: await Promise.all(
      plan.gateways.map(async (gateway, index) => {
        const reached = await between("customers", `gateway-${index + 1}`, gateway.port);
        return `http://${gateway.host}:${reached}`;
      }),
    ),
    cards: await findCardDesk(url),
    processes,
    dataDirectory,
    connectionString,
    redis,
    pool,
    log: new SiteLog(log),
    webhookSecret: sandboxKeysOf(await installationSecrets(own.KEY_DIR, undefined).secret("sandbox"))
      .stripeWebhookSecret,
  };
}

/** Its acknowledged events are in a file, from which it starts again. */
async function planEventStore(folder: string): Promise<{ readonly url: string; readonly role: Role }> {
  const port = await freePort();
  const args = ["--port", String(port), "--file", join(folder, "event-store", "log")];
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    role: { name: "event store", file: "testing/setup/eventstore-peer.ts", args, ...ownSettings(folder, {}) },
  };
}

const reachedBySandbox = { SANDBOX_DELIVERS_TO: "the site" } as const;
const reachedByOthers = {
  DATABASE_URL: "Postgres",
  EVENTSTORE_URL: "the event store",
  REDIS_URL: "Redis",
  SANDBOX_URL: "the sandbox",
  SANDBOX_SMTP_PORT: "the mail server",
} as const;

/** The addresses in a process's environment, with the ports that it connects to instead. */
async function connectedThrough(between: Between, from: string, env: Role["env"]) {
  const addresses = Object.entries(from === "sandbox" ? reachedBySandbox : reachedByOthers);
  const replaced: Record<string, string> = {};
  for (const [name, to] of addresses) {
    const address = env[name];
    if (address === undefined || address === "") continue;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const port = String(await between(from, to, Number(url?.port ?? address)));
    if (url) url.port = port;
    replaced[name] = url?.href ?? port;
  }
  return replaced;
}

/** Node loads this file before the process's own. */
const plantedIn = (plant: string) => ({
  PLANTED_FAULT: plant,
  NODE_OPTIONS: `--import ${new URL("preload.ts", import.meta.url).href}`,
});
