import { readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Measures the CPU of some work, ms. */
export type CpuClock = (work: () => Promise<void>) => Promise<number>;

/**
 * The CPU of this process and of Postgres' processes that are there at the end, as exact as Linux counts it: hundredths
 * of a second are too coarse for leaves. Neither reading it, which takes milliseconds, nor the garbage of what was done
 * before is counted. NaN where there is no /proc.
 */
export const cpuClock =
  (postmaster: number): CpuClock =>
  async (work) => {
    const before = nanosecondsByPid(postmaster);
    collectGarbage();
    const own = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(own);
    let postgres = before.size === 0 ? Number.NaN : 0;
    for (const [pid, nanoseconds] of nanosecondsByPid(postmaster))
      postgres += nanoseconds - (before.get(pid) ?? 0);
    return (user + system) / 1000 + postgres / 1e6;
  };

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Of the postmaster and its children. Each has one thread, whose time is in `schedstat`. */
function nanosecondsByPid(postmaster: number): ReadonlyMap<number, number> {
  const pids = numbered("/proc").filter((pid) => pid === postmaster || parentOf(pid) === postmaster);
  return new Map(pids.map((pid) => [pid, Number(textOf(`/proc/${pid}/schedstat`).split(" ")[0])]));
}

function numbered(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return []; // Another system.
  }
}

// The name, in parentheses, may itself contain spaces and parentheses.
const parentOf = (pid: number): number =>
  Number(textOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1]);

/** Empty when the process ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
