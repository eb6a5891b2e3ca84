import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../infra/config/config.ts";
import { hasCode } from "../../infra/key-ring/durable-files.ts";
import { isBound } from "../../infra/key-ring/installation-secrets.ts";
import { OtherLogAnswers } from "../../infra/log-binding/guarded-event-store.ts";
import { leastRoomBytes } from "../../infra/postgres/embedded-cluster.ts";
import { expectWrites, type Pool } from "../../infra/postgres/pool.ts";
import { takesNoWrites } from "../../infra/postgres/postgres-errors.ts";
import { freeBytesAt } from "../../infra/process/free-space.ts";
import type { Projections } from "../../projections/runner/projections.ts";
import type { ReadinessCheck } from "../gateway/health.ts";
import type { ParkedRecords } from "../operations/streams/retry-parked.ts";
import type { Policies } from "../policies/policies.ts";
import type { SettingsBook } from "../settings/settings.ts";
import type { ProviderCalls } from "../telemetry/provider-calls.ts";

/** Each check returns undefined when ready, else the reason. A process runs those of its own parts. */

/** @param trouble why the database is unavailable, if known */
export const databaseReady = (pool: Pool, trouble: () => string | undefined): ReadinessCheck => ({
  name: "database",
  shared: true,
  check: async () => {
    const known = trouble();
    if (known !== undefined) return known;
    try {
      await pool.query(expectWrites);
      return undefined;
    } catch (error) {
      if (hasCode(error, takesNoWrites)) return "the server takes no writes";
      throw error;
    }
  },
});

/**
 * Whether the log answers, and is still the database's own. A log in Postgres is unavailable with the database, which
 * reports it.
 */
export const logReady = (
  confirmLog: () => Promise<void>,
  { EVENTSTORE_URL }: Pick<Config, "EVENTSTORE_URL">,
): ReadinessCheck => ({
  name: "event store",
  shared: true,
  check: async () => {
    try {
      await confirmLog();
      return undefined;
    } catch (error) {
      if (error instanceof OtherLogAnswers) return "the log does not belong to this database";
      if (EVENTSTORE_URL === undefined) return undefined;
      throw error;
    }
  },
});

/** Whether this process or a separate one folds them. */
export const projectionsReady = (projections: Pick<Projections, "ready">): ReadinessCheck => ({
  name: "projections",
  shared: true,
  check: async () => {
    const unready = (await projections.ready()).filter(({ state }) => state !== "ready");
    return unready.length === 0
      ? undefined
      : unready
          .map(({ name, state, reason }) => `${name} is ${state}${reason ? ` (${reason})` : ""}`)
          .join(", ");
  },
});

export const settingsReady = (settings: Pick<SettingsBook, "trouble">): ReadinessCheck => ({
  name: "settings",
  shared: true,
  check: async () => settings.trouble(),
});

export const recordsReady = ({ count }: Pick<ParkedRecords, "count">): ReadinessCheck => ({
  name: "parked records",
  degrades: true,
  check: async () => {
    const parked = await count();
    if (parked === 0) return undefined;
    return `${parked} ${parked === 1 ? "order or ticket waits" : "orders and tickets wait"} until repaired: npm run streams:retry -- --list`;
  },
});

/** Not ready until the backlog from the downtime is processed. */
export const policiesReady = (policies: Pick<Policies, "status" | "hasCaughtUp">): ReadinessCheck => ({
  name: "policies",
  shared: true,
  check: async () => {
    const { state, reason } = await policies.status();
    if (state === "stopped") return `stopped (${reason})`;
    return (await policies.hasCaughtUp()) ? undefined : "catching up";
  },
});

/** After a change of rules, tasks of older orders are derived in the background; orders are served meanwhile. */
export const olderOrdersReady = (policies: Pick<Policies, "isEverythingListed">): ReadinessCheck => ({
  name: "older orders",
  check: async () =>
    (await policies.isEverythingListed())
      ? undefined
      : "their tasks under the newest rules are still being derived",
});

type KeyFolders = Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">;

/** Readiness is public and may be polled at any rate: a write test's result is reused for this long. */
const trialHoldsMs = 1_000;

/**
 * Without keys nothing can be sealed or erased. An empty folder in the place of either was there before its disk was
 * mounted.
 * @param nowMs monotonic clock, in milliseconds
 */
export function keysReady(
  { pool }: { pool: Pool },
  folders: KeyFolders,
  nowMs = () => performance.now(),
): ReadinessCheck {
  const tookAtMs = new Map<string, number>();
  async function takes(folder: string): Promise<boolean> {
    const at = nowMs();
    if (at - (tookAtMs.get(folder) ?? Number.NEGATIVE_INFINITY) < trialHoldsMs) return true;
    const taken = await takesFiles(folder);
    if (taken) tookAtMs.set(folder, at);
    return taken;
  }
  return {
    name: "keys",
    check: async () => {
      for (const name of ["KEY_DIR", "KEY_MIRROR_DIR"] as const) {
        const folder = folders[name];
        if (folder === undefined) continue;
        if (!(await takes(folder))) return `${name} cannot be written to`;
        if (!(await isBound(pool, folder))) return notOwn[name];
      }
      return undefined;
    },
  };
}

const notOwn = {
  KEY_DIR: "KEY_DIR is not the folder that this database is bound to",
  KEY_MIRROR_DIR: "KEY_MIRROR_DIR is not the mirror of the folder that this database is bound to",
};

/**
 * Processes that share a folder share the name: a file another process has just removed is no failure, and a killed one
 * leaves at most one file.
 */
const trial = ".trial";

async function takesFiles(folder: string): Promise<boolean> {
  const file = join(folder, trial);
  try {
    await writeFile(file, "");
    await rm(file, { force: true });
    return true;
  } catch {
    return false; // For the operator to investigate, whatever the reason.
  }
}

/** docs/operations.md describes what gateways do without it, and what waits. */
export const redisReady = (redis: { readonly status: string }): ReadinessCheck => ({
  name: "redis",
  degrades: true,
  check: async () => (redis.status === "ready" ? undefined : "does not answer"),
});

/** Work for a provider waits and is retried. */
export const providersReady = ({ down }: Pick<ProviderCalls, "down">): ReadinessCheck => ({
  name: "providers",
  degrades: true,
  check: async () => {
    const away = [...down()].map(([provider, since]) => `${provider} has not answered since ${since}`);
    return away.length === 0 ? undefined : away.join(", ");
  },
});

const mebibyte = 1_048_576;

type Folder = { readonly name: string; readonly path: string; readonly leastBytes: number };

/** Folders this process writes to; not an external database server's. */
const foldersOf = (
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR" | "KEY_DIR" | "KEY_MIRROR_DIR">,
): Folder[] => [
  ...(config.DATABASE_URL ? [] : [{ name: "DATA_DIR", path: config.DATA_DIR, leastBytes: leastRoomBytes }]),
  // Room for some 25,000 keys, time enough to act.
  { name: "KEY_DIR", path: config.KEY_DIR, leastBytes: mebibyte },
  ...(config.KEY_MIRROR_DIR
    ? [{ name: "KEY_MIRROR_DIR", path: config.KEY_MIRROR_DIR, leastBytes: mebibyte }]
    : []),
];

/**
 * Reports a folder whose disk is full or missing. A full disk refuses orders, or is about to; without the mirror
 * nothing can be erased.
 * @param roomIn bytes free on the folder's disk
 */
export const disksReady = (
  config: Parameters<typeof foldersOf>[0],
  roomIn: (path: string) => Promise<number> = freeBytesAt,
): ReadinessCheck => ({
  name: "disks",
  check: async () => {
    const troubles = await Promise.all(foldersOf(config).map((folder) => troubleOf(folder, roomIn)));
    return troubles.filter((trouble) => trouble !== undefined).join(", ") || undefined;
  },
});

async function troubleOf(
  { name, path, leastBytes }: Folder,
  roomIn: (path: string) => Promise<number>,
): Promise<string | undefined> {
  try {
    return (await roomIn(path)) < leastBytes ? `the disk of ${name} is full` : undefined;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return `${name} does not exist`;
  }
}
