import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { patienceMs } from "../setup/patience.ts";

export type ServerProcess = {
  /** Resolves when it listens on all its ports. */
  start(): Promise<void>;
  /** With -9, and all its processes with it. */
  kill(): Promise<void>;
};

type ServerCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly ports: readonly number[];
  /** What it wrote down, for the error. */
  readonly log: () => string;
};

/** Kills the server's process group when standard input ends: when it is closed, or the process that holds it is gone. */
const untilInputEnds = 'setsid "$@" & read -r end; kill -9 -$!; wait $!';

/** A server that can be killed and started again. It ends with the process that started it, however that one ends. */
export function createServerProcess({ command, args, ports, log }: ServerCommand): ServerProcess {
  let shell: ChildProcess | undefined;
  return {
    start: async () => {
      shell = spawn("sh", ["-c", untilInputEnds, "sh", command, ...args], {
        stdio: ["pipe", "ignore", "ignore"],
        // Not with us by Ctrl-C: it is the shell that kills.
        detached: true,
      });
      const deadline = Date.now() + patienceMs;
      for (const port of ports) {
        while (!(await answers(port))) {
          const lastWords = log().split("\n").slice(-20).join("\n");
          if (Date.now() > deadline) throw new Error(`Nothing listens on port ${port}.\n${lastWords}`);
          await delay(20);
        }
      }
    },
    kill: async () => {
      if (shell === undefined) return;
      const ended = once(shell, "exit");
      shell.stdin?.end();
      await ended;
      shell = undefined;
      // Its processes die one after another, and each holds the ports.
      for (const port of ports) while (await answers(port)) await delay(20);
    },
  };
}

/** Whether something listens there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
