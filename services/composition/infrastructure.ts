import { randomUUID } from "node:crypto";
import type { Config } from "../../infra/config/config.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { nameOfError } from "../../infra/following/follower-faults.ts";
import type { FollowerWatch } from "../../infra/following/follower-turn.ts";
import type { Subscription } from "../../infra/following/subscription/subscribing.ts";
import { createSubscription } from "../../infra/following/subscription/subscription.ts";
import { createBullMqJobs } from "../../infra/jobs/bullmq-jobs.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import { type InstallationSecrets, openBoundSecrets } from "../../infra/key-ring/installation-secrets.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { openBoundStore } from "../../infra/log-binding/open-bound-store.ts";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { reachDatabase } from "../../infra/postgres/reach-database.ts";
import { createLog, type Log } from "../../infra/process/log.ts";
import { type EndingRedis, openRedis, reachRedis } from "../../infra/redis/open-redis.ts";
import { failingFast, type StorageWatch, watchStorage } from "../../infra/telemetry/storage/storage-watch.ts";
import type { SharedCounts } from "../gateway/guards/counts.ts";
import type { ReadinessCheck } from "../gateway/health.ts";
import { signedEventOf } from "../operations/audit/signed-files.ts";
import { openTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { countBatch, watchInfrastructure } from "../telemetry/watched-infrastructure.ts";
import type { Vault } from "../vault/vault.ts";
import { vaultTable } from "../vault/vault-rows.ts";
import { databaseReady, disksReady, keysReady, logReady, providersReady, redisReady } from "./readiness.ts";

export type Infrastructure = {
  log: Log;
  now: () => Date;
  newId: () => string;
  random: () => number;
  secrets: InstallationSecrets;
  pool: Pool;
  store: EventStore;
  /**
   * Call between reading the log and erasing or resolving what was decided on it.
   * @throws OtherLogAnswers when another log has replaced it, or the store's errors
   */
  confirmLog: () => Promise<void>;
  /** When database and log began together; null if not recorded. Keys from before belong to another database. */
  begunAt: Date | null;
  keyRing: KeyRing;
  vault: Vault;
  jobs: Jobs;
  telemetry: Telemetry;
  watch: FollowerWatch;
  /** All that follows the log in this process shares it. */
  subscription: Subscription;
  storage: StorageWatch;
  /** For counts shared between processes; undefined without Redis. */
  redis: EndingRedis | undefined;
  /** Resolves when the database is lost for good and the process cannot continue. */
  lost: Promise<Error>;
  /** Why the database is unavailable, if known, in words safe to publish. */
  databaseTrouble: () => string | undefined;
};

/** What processes count together; undefined without Redis. */
export const sharedCountsOf = async ({
  redis,
  secrets,
}: Pick<Infrastructure, "redis" | "secrets">): Promise<SharedCounts | undefined> =>
  redis && { redis, addressKey: await secrets.secret("request-counts") };

/**
 * Opens database, log, key ring, vault and job queue; each is deferred on `closing`, so the last opened closes first.
 * @param role of the process: those of one role take turns in following the log
 * @throws OperatorError for errors the operator can fix; the signal's reason when the start is aborted
 */
export async function openInfrastructure(
  role: "system" | "gateway" | "worker" | "seed",
  config: Config,
  closing: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Infrastructure> {
  const log = createLog(config.LOG_LEVEL);
  const now = () => new Date();
  const telemetry = await openTelemetry(config, log, now, closing);
  const { connectionString, lost, databaseTrouble } = await findDatabase(config, log, closing, signal);
  await migrate(connectionString);

  const pool = closing.adopt(createPool(connectionString), (open) => open.end());
  const secrets = await openBoundSecrets(config, pool, log);
  const bound = await openBoundStore({
    url: config.EVENTSTORE_URL,
    pool,
    connectionString,
    companions: vaultTable,
    signed: signedEventOf(config, now),
    now,
    log,
    signal,
    onTrouble: (error) => storage.suspect(error),
    onBatch: (appends, seconds) => countBatch(telemetry, appends, seconds),
  });
  closing.defer(bound.close);
  const isApart = config.EVENTSTORE_URL !== undefined;
  const storage = closing.use(watchStorage({ connectionString, store: bound.store, isApart, log }));
  // A broken idle connection is replaced at the next query. During a stop, the server cuts connections that are not
  // quite closed.
  pool.on("error", (error) => {
    if (!signal.aborted) storage.suspect(error);
  });
  const store = failingFast(bound.store, isApart ? "event store" : "database", storage);

  const keyRing = await openKeyRing({ directory: config.KEY_DIR, mirror: config.KEY_MIRROR_DIR, now });
  closing.defer(() =>
    keyRing
      .close()
      .catch((error: unknown) =>
        log.warn({ code: nameOfError(error) }, "unused keys remain in the key folder"),
      ),
  );
  signal.throwIfAborted();
  const redis = await findRedis(config, { log, telemetry }, closing, signal);
  const jobs = await createBullMqJobs({
    connectionString: config.REDIS_URL ?? connectionString,
    queueName: "work",
    log,
    // Redis is watched through its own connection.
    onAway: config.REDIS_URL === undefined ? (error) => storage.suspect(error) : () => undefined,
  });
  closing.defer(() => jobs.close());
  const watched = watchInfrastructure(telemetry, {
    ...{ pool, store, keyRing, jobs, now },
    storedByAppends: !isApart,
    expectDatabase: () => storage.expect("database"),
  });
  return {
    log,
    now,
    newId: randomUUID,
    random: Math.random,
    secrets,
    pool,
    telemetry,
    ...watched,
    subscription: createSubscription({ ...watched, name: role, pool, newId: randomUUID, log, storage }),
    confirmLog: () => bound.store.confirm(),
    begunAt: bound.begunAt,
    storage,
    redis,
    lost,
    databaseTrouble,
  };
}

type Database = Pick<Infrastructure, "lost" | "databaseTrouble"> & { connectionString: string };

async function findDatabase(
  config: Config,
  log: Log,
  closing: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Database> {
  if (config.DATABASE_URL !== undefined) {
    await reachDatabase(config.DATABASE_URL, signal);
    // An external server is restored by its operator; until then dependants wait, and readiness reports it.
    return {
      connectionString: config.DATABASE_URL,
      lost: new Promise(() => undefined),
      databaseTrouble: () => undefined,
    };
  }
  const server = await startEmbedded({
    directory: config.DATA_DIR,
    signal,
    onTrouble: () => log.warn("the embedded Postgres stopped and is being restarted"),
    onFull: (words) => log.error(`ALARM: ${words}`),
  });
  closing.defer(() => server.stop());
  return { ...server, databaseTrouble: server.trouble };
}

/** A longer wait would delay every counted request. */
const redisAnswersWithinMs = 500;

async function findRedis(
  config: Config,
  { log, telemetry }: Pick<Infrastructure, "log" | "telemetry">,
  closing: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<EndingRedis | undefined> {
  if (config.REDIS_URL === undefined) return undefined;
  await reachRedis(config.REDIS_URL, signal);
  const { redisAway } = telemetry.platform;
  redisAway.set({}, 0);
  const redis = openRedis(config.REDIS_URL, {
    answerWithinMs: redisAnswersWithinMs,
    onAway: () => {
      redisAway.set({}, 1);
      log.warn("Redis is unavailable: jobs wait, and each process counts requests separately");
    },
    onBack: () => {
      redisAway.set({}, 0);
      log.info("Redis is back");
    },
  });
  closing.defer(() => redis.endAll());
  return redis;
}

/** Checks of the infrastructure of gateways and workers: required and optional parts. */
export const infrastructureReady = (
  infrastructure: Infrastructure,
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR" | "DATABASE_URL" | "DATA_DIR" | "EVENTSTORE_URL">,
): readonly ReadinessCheck[] => [
  databaseReady(infrastructure.pool, infrastructure.databaseTrouble),
  disksReady(config),
  logReady(infrastructure.confirmLog, config),
  keysReady(infrastructure, config),
  ...(infrastructure.redis === undefined ? [] : [redisReady(infrastructure.redis)]),
  providersReady(infrastructure.telemetry.calls),
];
