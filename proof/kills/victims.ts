import { join } from "node:path";
import { findRunning } from "../../infra/postgres/embedded-process.ts";
import { pick } from "../../services/operations/seed/seeded-random.ts";
import { listProcesses } from "../../testing/postgres/embedded-fixture.ts";
import type { Site } from "../faults/site.ts";
import type { KeptRedis } from "./redis.ts";

/** What is killed. Something else starts it again. */
export type Victim = {
  readonly name: string;
  readonly kill: () => void;
  /** Whether it works again since it was killed. */
  readonly isReady: () => boolean | Promise<boolean>;
};

/** The sandbox stands for others' machines, which do not die with ours. */
const spared = "sandbox";

/** Every process of a site, its Redis, and its Postgres: once as a whole, and once one of its processes at random. */
export function victimsOf(site: Site, redis: KeptRedis, random: () => number): readonly Victim[] {
  const isReady = () => answers(site);
  return [
    ...site.processes.filter(({ name }) => name !== spared),
    { name: "redis", ...redis },
    { name: "postgres", kill: () => killAll(postgresOf(site)), isReady },
    {
      name: "a process of postgres",
      kill: () => killAll([pick(random, postgresOf(site).slice(1))]),
      isReady,
    },
  ];
}

/** The pids of its postmaster and then of the processes that this one started. */
function postgresOf({ dataDirectory }: Site): readonly number[] {
  const running = findRunning(join(dataDirectory, "cluster"));
  if (!running) throw new Error("Postgres is not running.");
  const children = listProcesses().filter(({ parent }) => parent === running.pid);
  return [running.pid, ...children.map(({ pid }) => pid)];
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It ended by itself meanwhile, as an idle connection's process may.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

async function answers({ pool }: Site): Promise<boolean> {
  try {
    await pool.query("select 1");
    return true;
  } catch {
    // It is down, or recovers: asked again.
    return false;
  }
}
