import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../../infra/process/operator-error.ts";
import { type KeptProcess, keepRunning, type Role } from "../../infra/setup/kept-process.ts";
import type { Gateways } from "../../services/operations/cluster/proxy.ts";

/** One of the product's processes, started again whenever it ends. */
export type SiteProcess = {
  readonly name: string;
  /** Ends it with kill -9. */
  readonly kill: () => void;
  /** Whether it was ready since it was last started. */
  readonly isReady: () => boolean;
  /**
   * Stops it by a signal, and starts the same of another build in its place, from that one's folder.
   * @returns the first one's exit code, once the other is ready; null if it had to be killed
   */
  readonly replaceFrom: (folder: string) => Promise<number | null>;
};

const readyWithinMs = 120_000;
const mostLines = 200;
/** Proofs kill processes often: they must not be left down for longer each time. */
const longestPauseMs = 250;

/** @throws OperatorError, with what the processes said, when they are not ready in time */
export async function startProcesses(
  { roles, folder }: { readonly roles: readonly Role[]; readonly folder: string },
  gateways: Gateways,
  expected: number,
  closing: AsyncDisposableStack,
): Promise<readonly SiteProcess[]> {
  const lines: string[] = [];
  const started = roles.map((role) => {
    const say = (line: string) => {
      lines.push(`${role.name} ${line}`);
      if (lines.length > mostLines) lines.shift();
    };
    return start(role, folder, say, (ready) => inTime([ready], () => problemOf(role)));
  });
  closing.defer(() => Promise.all(started.map(({ stop }) => stop())).then(() => undefined));

  async function inTime(
    ready: readonly Promise<void>[],
    look: () => string | undefined | Promise<string | undefined>,
  ): Promise<void> {
    let problem: string | undefined;
    const giveUp = AbortSignal.timeout(readyWithinMs);
    const late = new Promise<never>((_, fail) => {
      giveUp.addEventListener("abort", () => fail(new OperatorError("not ready in time")));
    });
    try {
      await Promise.race([Promise.all(ready), late]);
      for (problem = await look(); problem !== undefined; problem = await look())
        await Promise.race([delay(100), late]);
    } catch (cause) {
      throw new OperatorError(`The processes did not start. They said:\n${[...lines, problem].join("\n")}`, {
        cause,
      });
    }
  }

  await inTime(
    started.map(({ ready }) => ready),
    () => (gateways.inTurn().length >= expected ? undefined : "not every gateway is ready"),
  );
  return started.map(({ process }) => process);
}

/** Why a process is not ready, as it tells its operator. */
async function problemOf({ name, env }: Role): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${env.HEALTH_PORT}/readyz`);
    const words = await answer.text();
    return answer.ok ? undefined : `${name} ${words}`;
  } catch {
    // It has ended, and is started again.
    return `${name} does not answer`;
  }
}

function start(
  role: Role,
  folder: string,
  say: (line: string) => void,
  inTime: (ready: Promise<void>) => Promise<void>,
): {
  readonly ready: Promise<void>;
  readonly stop: () => Promise<unknown>;
  readonly process: SiteProcess;
} {
  let pid = 0;
  let isReady = false;
  const begin = (build: string): KeptProcess =>
    keepRunning(
      { ...role, file: join(build, role.file) },
      (line) => {
        const [, started] = /^is process (\d+)$/.exec(line) ?? [];
        if (started !== undefined) [pid, isReady] = [Number(started), false];
        if (line.startsWith("Ready: ")) isReady = true;
        say(line);
      },
      longestPauseMs,
    );
  let kept = begin(folder);
  const kill = () => {
    isReady = false;
    process.kill(pid, "SIGKILL");
  };
  const replaceFrom = async (build: string) => {
    const code = await kept.stop();
    kept = begin(build);
    await inTime(kept.ready);
    return code;
  };
  return {
    ready: kept.ready,
    stop: () => kept.stop(),
    process: { name: role.name, kill, isReady: () => isReady, replaceFrom },
  };
}
