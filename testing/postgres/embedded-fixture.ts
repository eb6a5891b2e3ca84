import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import pg from "pg";
import { z } from "zod";
import { patienceMs } from "../setup/patience.ts";

/** A process that owns an embedded server until killed. */
export type OwnerProcess = {
  pid: number;
  connectionString: string;
  kill: () => Promise<void>;
};

const announcement = z.object({ connectionString: z.string() });

const script = (directory: string) => `
  import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, "..", "..", "infra", "postgres", "embedded.ts"))};
  const { connectionString } = await startEmbedded({ directory: ${JSON.stringify(directory)} });
  process.stdout.write(JSON.stringify({ connectionString }) + "\\n");
  setInterval(() => undefined, 60_000);
`;

/** Starts a server in another process, without waiting for it. */
export function beginOwner(directory: string): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "--eval", script(directory)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts a server in another process. @throws Error with its error output when it exits first */
export async function startOwner(directory: string): Promise<OwnerProcess> {
  const child = beginOwner(directory);
  const { stdout, stderr } = child;
  if (!stdout || !stderr || child.pid === undefined) throw new Error("The owner did not start.");
  const complaint = text(stderr);
  for await (const line of createInterface({ input: stdout })) {
    return {
      pid: child.pid,
      ...announcement.parse(JSON.parse(line)),
      kill: () => killAndWait(child),
    };
  }
  throw new Error(await complaint);
}

/** Kills a child process with -9 and waits for its end. */
export async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The server's pid, from the cluster's pid file. */
export function serverPid(directory: string): number {
  return Number(readFileSync(join(directory, "cluster", "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Kills the server and all its processes with -9, so that nothing is written any more. */
export function killServer(directory: string): void {
  killAll(pidsOfServer(directory));
}

/** The server's pid, and then those of the processes that it started. */
export function pidsOfServer(directory: string): readonly number[] {
  const server = serverPid(directory);
  return [server, ...listProcesses().flatMap(({ parent, pid }) => (parent === server ? [pid] : []))];
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It ended by itself meanwhile, as an idle connection's process may.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

/** Pids of a process' children, by a word of their command. */
export function childrenOf(pid: number, word: string): number[] {
  return listProcesses()
    .filter(({ parent, command }) => parent === pid && command.includes(word))
    .map((child) => child.pid);
}

/** One query on a separate connection. */
export async function ask(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: patienceMs });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A process of this machine, as shown by `ps`. */
type ListedProcess = { readonly pid: number; readonly parent: number; readonly command: string };

/** The running processes. A bare Linux has no `ps`, but the data it would read. */
export function listProcesses(): ListedProcess[] {
  if (!existsSync("/proc/self/stat")) return fromPs();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name, in parentheses, may itself contain spaces and parentheses.
        const [state, parent] =
          readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
}

function fromPs(): ListedProcess[] {
  return execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
}
