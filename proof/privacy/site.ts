import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { freePort } from "../../infra/process/free-port.ts";
import { startCollector } from "../../testing/services/telemetry-fixture.ts";
import { type Product, startProduct } from "../../testing/system/product-process.ts";
import { type CardDesk, findCardDesk } from "../speed/load/order.ts";
import { findTarget, hasManyAddresses, type LoadTarget } from "../speed/load/target.ts";
import { dumpTables } from "./dump.ts";
import { type KeyWatch, watchKeys } from "./key-watch.ts";

/** The product with all that it writes to, each in a folder of its own. */
export type Site = {
  readonly folders: {
    /** Of Postgres: data files, write-ahead log, its own log with every statement and its parameters. */
    readonly data: string;
    readonly keys: string;
    readonly mirror: string;
    /** Of the system, as the product's processes see it. */
    readonly temporary: string;
    readonly redis: string;
    /** What it told the outside: its log, metrics and traces; and a dump of the database. */
    readonly told: string;
    /** What left it on purpose, to the GRO. */
    readonly drained: string;
    /** For copies made meanwhile. */
    readonly backup: string;
  };
  readonly product: Product;
  readonly target: LoadTarget;
  readonly cards: CardDesk;
  /** Where the product takes mail in, by LMTP. */
  readonly mailPort: number;
  readonly pool: Pool;
  readonly keyWatch: KeyWatch;
  /** Keeps what the GRO has received so far; its sandbox remembers the latest 200. */
  drain(): Promise<void>;
  /** Stops the product in the middle of whatever it does, and lets it go on afterwards. */
  whilePaused(does: () => Promise<void>): Promise<void>;
  /** Writes the dump, stops everything, and writes what the product told. */
  end(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Postgres keeps the whole write-ahead log, and logs every statement with all that was bound to it. */
const tellingSettings = [
  "wal_keep_size=64GB",
  "log_statement=all",
  "log_parameter_max_length=-1",
  "log_parameter_max_length_on_error=-1",
];

export type SiteOptions = {
  readonly redis: boolean;
  /** From the GRO's acceptance to the purge. */
  readonly purgeAfterSeconds: number;
};

export async function openSite({ redis, purgeAfterSeconds }: SiteOptions): Promise<Site> {
  await using closing = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), "certificates-privacy-"));
  closing.defer(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string) => join(root, name);
  const folders = {
    ...{ data: at("data"), keys: at("keys"), mirror: at("mirror"), temporary: at("temporary") },
    ...{ redis: at("redis"), told: at("told"), drained: at("drained"), backup: at("backup") },
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 });

  const running = closing.use(new AsyncDisposableStack());
  const server = await startEmbedded({ directory: folders.data, settings: tellingSettings });
  running.defer(() => server.stop());
  const redisUrl = redis ? await startRedis(folders.redis, running) : undefined;
  const collector = await startCollector();
  closing.defer(() => collector.close());
  const [metricsPort, mailPort] = [await freePort(), await freePort()];
  const product = await startProduct({
    DATABASE_URL: server.connectionString,
    ...{ KEY_DIR: folders.keys, KEY_MIRROR_DIR: folders.mirror, TMPDIR: folders.temporary },
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...{ LOG_LEVEL: "debug", HEALTH_PORT: String(metricsPort) },
    ...{ MAIL_IN_ADDRESS: "help@certificates.example", MAIL_IN_URL: `lmtp://127.0.0.1:${mailPort}` },
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    PURGE_AFTER_SECONDS: String(purgeAfterSeconds),
    ...(hasManyAddresses ? {} : { TRUST_PROXY: "1" }),
  });
  running.defer(() => product.dispose().then(() => undefined));
  const keyWatch = watchKeys(folders.keys);
  running.defer(() => keyWatch.stop());
  // Its own statements are not the product's.
  const pool = running.adopt(
    createPool(`${server.connectionString}?options=-c%20log_statement%3Dnone`),
    (open) => open.end(),
  );
  const target = await findTarget(product.url, false);
  const cards = await findCardDesk(target.url);
  let drains = 0;
  const moved = closing.move();
  return {
    ...{ folders, product, target, cards, mailPort, pool, keyWatch },
    drain: async () => {
      const received = await fetch(`${target.url}/sandbox/gro`, { headers: { Accept: "application/json" } });
      writeFileSync(join(folders.drained, `${drains++}.json`), await received.text());
    },
    whilePaused: async (does) => {
      process.kill(product.pid(), "SIGSTOP");
      try {
        await does();
      } finally {
        process.kill(product.pid(), "SIGCONT");
      }
    },
    end: async () => {
      const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      writeFileSync(join(folders.told, "metrics.txt"), await metrics.text());
      await pool.query("checkpoint");
      await dumpTables(pool, join(folders.told, "dump"));
      await running.disposeAsync();
      writeFileSync(join(folders.told, "log.jsonl"), product.said.join("\n"));
      writeFileSync(join(folders.told, "traces.json"), collector.said());
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

/** A Redis that writes all it is told to disk, legibly. */
async function startRedis(directory: string, closing: AsyncDisposableStack): Promise<string> {
  const port = await freePort();
  const settings = [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", "1 1"],
    ...["--appendonly", "yes", "--aof-use-rdb-preamble", "no", "--auto-aof-rewrite-percentage", "0"],
    ...["--rdbcompression", "no"],
  ];
  const server = spawn("redis-server", settings, { stdio: "ignore" });
  await once(server, "spawn");
  closing.defer(() => ended(server));
  return `redis://127.0.0.1:${port}/0`;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}
