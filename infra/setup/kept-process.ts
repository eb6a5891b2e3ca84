import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pause } from "../following/follower-turn.ts";
import { OperatorFault } from "../process/operator-error.ts";
import { root } from "./steps.ts";

/** One entry point of the product, to be run as a process. */
export type Role = {
  /** Stands before each of its lines. */
  readonly name: string;
  /** From the project's folder. */
  readonly file: string;
  /** Beside what this process was given. */
  readonly env: Readonly<Record<string, string>>;
};

/** A process that is started again whenever it ends by itself. */
export type KeptProcess = {
  /** Settles when it is ready for the first time. @throws OperatorFault when it ended before */
  readonly ready: Promise<void>;
  /** Asks it to end, and ends it when it does not. */
  readonly stop: () => Promise<void>;
};

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** Who ran so long did not die of its start. */
const soundAfterMs = 30_000;
/** Longer than a process takes to give itself up. */
const stopWithinMs = 30_000;

/** @param say hears its lines, and what becomes of it */
export function keepRunning(role: Role, say: (line: string) => void): KeptProcess {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const { promise: ready, resolve: becomeReady, reject: giveUp } = Promise.withResolvers<void>();
  ready.catch(() => undefined); // Whoever waits for it hears of it.
  let wasReady = false;
  const kept = keep();

  async function keep(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      child = begin(role, say, () => {
        wasReady = true;
        becomeReady();
      });
      say(`is process ${child.pid ?? "none"}`);
      const [code, signal] = await ended(child);
      if (stopping.signal.aborted) return;
      if (!wasReady) return giveUp(new OperatorFault(`${role.name} did not start: see its lines above.`));
      if (Date.now() - startedAt > soundAfterMs) pauseMs = firstPauseMs;
      say(`ended by itself (${signal ?? code}), and is started again in ${pauseMs} ms`);
      await pause(pauseMs, stopping.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  return {
    ready,
    async stop() {
      stopping.abort();
      const last = setTimeout(() => child?.kill("SIGKILL"), stopWithinMs);
      child?.kill("SIGTERM");
      await kept;
      clearTimeout(last);
    },
  };
}

function begin(role: Role, say: (line: string) => void, onReady: () => void): ChildProcess {
  const child = spawn(process.execPath, ["--enable-source-maps", role.file], {
    cwd: root,
    env: { ...process.env, ...role.env, NODE_NO_WARNINGS: "1" },
    // The channel tells it when this process is gone, however it went.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A session of its own: Ctrl-C reaches this process alone, which ends the others in order.
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

/** How it ended; 1 where it could not even be begun. */
async function ended(child: ChildProcess): Promise<readonly [number | null, NodeJS.Signals | null]> {
  await once(child, "exit").catch(() => undefined); // It could not be begun: there is no number then.
  return [child.pid === undefined ? 1 : child.exitCode, child.signalCode];
}
