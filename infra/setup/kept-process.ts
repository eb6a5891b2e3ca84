import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pause } from "../following/follower-turn.ts";
import { OperatorError } from "../process/operator-error.ts";
import { root } from "./steps.ts";

/** An entry point of the product, run as a process. */
export type Role = {
  /** Prefix of each of its lines. */
  readonly name: string;
  /** Relative to the project's folder; absolute for another build's. */
  readonly file: string;
  readonly args?: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its working folder, if not this process'. */
  readonly cwd?: string;
};

/** The role with this process' environment beneath its own. */
export const inheriting = (role: Role): Role => ({ ...role, env: { ...process.env, ...role.env } });

/** A process that is restarted whenever it exits unasked. */
export type KeptProcess = {
  /** Resolves when it is first ready. @throws OperatorError when it exited before */
  readonly ready: Promise<void>;
  /** Asks it to stop, and kills it if it does not. Resolves to its last exit code; null if it was killed. */
  readonly stop: () => Promise<number | null>;
};

const firstPauseMs = 250;
const usualLongestPauseMs = 10_000;
/** A process that ran this long did not fail at start. */
const soundAfterMs = 30_000;
/** Longer than a process' own stop timeout. */
const stopWithinMs = 30_000;

/**
 * @param say called with its output lines and its starts and exits
 * @param longestPauseMs between its end and its next start, when it keeps ending
 */
export function keepRunning(
  role: Role,
  say: (line: string) => void,
  longestPauseMs = usualLongestPauseMs,
): KeptProcess {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const { promise: ready, resolve: becomeReady, reject: giveUp } = Promise.withResolvers<void>();
  ready.catch(() => undefined); // Callers that await it get the error.
  let wasReady = false;
  const kept = keep();

  async function keep(): Promise<number | null> {
    let pauseMs = firstPauseMs;
    let [code, signal]: Awaited<ReturnType<typeof ended>> = [null, null];
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      child = begin(role, say, () => {
        wasReady = true;
        becomeReady();
      });
      say(`is process ${child.pid ?? "none"}`);
      [code, signal] = await ended(child);
      if (stopping.signal.aborted) break;
      if (!wasReady) {
        giveUp(new OperatorError(`${role.name} did not start: see its lines above.`));
        break;
      }
      if (Date.now() - startedAt > soundAfterMs) pauseMs = firstPauseMs;
      say(`ended by itself (${signal ?? code}), and is started again in ${pauseMs} ms`);
      await pause(pauseMs, stopping.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    return code;
  }

  return {
    ready,
    async stop() {
      stopping.abort();
      const last = setTimeout(() => child?.kill("SIGKILL"), stopWithinMs);
      child?.kill("SIGTERM");
      const code = await kept;
      clearTimeout(last);
      return code;
    },
  };
}

function begin(role: Role, say: (line: string) => void, onReady: () => void): ChildProcess {
  const child = spawn(process.execPath, [resolve(root, role.file), ...(role.args ?? [])], {
    cwd: role.cwd,
    env: { ...role.env, NODE_NO_WARNINGS: "1" },
    // The channel closes when this process ends, however it ends.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A separate session: Ctrl-C reaches this process alone, which stops the others in order.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      if (line.startsWith("Ready: ")) onReady();
      say(line);
    });
  }
  return child;
}

/** Exit code and signal; 1 when it could not be started. */
async function ended(child: ChildProcess): Promise<readonly [number | null, NodeJS.Signals | null]> {
  await once(child, "exit").catch(() => undefined); // It could not be started: there is no exit code.
  return [child.pid === undefined ? 1 : child.exitCode, child.signalCode];
}
