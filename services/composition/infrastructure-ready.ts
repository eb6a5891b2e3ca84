import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../infra/config/config.ts";
import { hasCode } from "../../infra/key-ring/durable-file.ts";
import { type InstallationSecrets, isBound } from "../../infra/key-ring/installation-secrets.ts";
import { leastRoomBytes } from "../../infra/postgres/embedded-cluster.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { freeBytesAt } from "../../infra/process/free-port.ts";
import type { ReadinessCheck } from "../gateway/health.ts";
import type { ProviderCalls } from "../telemetry/provider-calls.ts";
import type { Infrastructure } from "./infrastructure.ts";
import { databaseReady, logReady } from "./readiness.ts";

type KeyFolders = Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR">;

/** Checks of the infrastructure of gateways and workers: required and optional parts. */
export const infrastructureReady = (
  infrastructure: Infrastructure,
  config: KeyFolders & Pick<Config, "DATABASE_URL" | "DATA_DIR" | "EVENTSTORE_URL">,
): readonly ReadinessCheck[] => [
  databaseReady(infrastructure.pool, infrastructure.databaseTrouble),
  disksReady(config),
  logReady(infrastructure.confirmLog, config),
  keysReady(infrastructure, config),
  ...(infrastructure.redis === undefined ? [] : [redisReady(infrastructure.redis)]),
  providersReady(infrastructure.telemetry.calls),
];

/** Readiness is public and may be polled at any rate: a write test's result is reused for this long. */
const trialHoldsMs = 1_000;

/**
 * Without keys nothing can be sealed or erased.
 * @param nowMs monotonic clock, in milliseconds
 */
export function keysReady(
  { pool, secrets }: { pool: Pool; secrets: InstallationSecrets },
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
        if (folder !== undefined && !(await takes(folder))) return `${name} cannot be written to`;
      }
      return (await isBound(pool, secrets))
        ? undefined
        : "KEY_DIR is not the folder that this database is bound to";
    },
  };
}

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
    const away = [...down()].map(([provider, since]) => `${provider} does not answer since ${since}`);
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
