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
};

const readyWithinMs = 120_000;
const mostLines = 200;
/** Proofs kill processes often: they must not be left down for longer each time. */
const longestPauseMs = 250;

/** @throws OperatorError, with what the processes said, when they are not ready in time */
export async function startProcesses(
  roles: readonly Role[],
  gateways: Gateways,
  expected: number,
  closing: AsyncDisposableStack,
): Promise<readonly SiteProcess[]> {
  const lines: string[] = [];
  const started = roles.map((role) =>
    start(role, (line) => {
      lines.push(`${role.name} ${line}`);
      if (lines.length > mostLines) lines.shift();
    }),
  );
  closing.defer(() => Promise.all(started.map(({ kept }) => kept.stop())).then(() => undefined));
  const giveUp = AbortSignal.timeout(readyWithinMs);
  const late = new Promise<never>((_, fail) => {
    giveUp.addEventListener("abort", () => fail(new OperatorError("not ready in time")));
  });
  try {
    await Promise.race([Promise.all(started.map(({ kept }) => kept.ready)), late]);
    while (gateways.inTurn().length < expected) await Promise.race([delay(100), late]);
  } catch (cause) {
    throw new OperatorError(`The processes did not start. They said:\n${lines.join("\n")}`, { cause });
  }
  return started.map(({ process }) => process);
}

function start(
  role: Role,
  say: (line: string) => void,
): { readonly kept: KeptProcess; readonly process: SiteProcess } {
  let pid = 0;
  let isReady = false;
  const kept = keepRunning(
    role,
    (line) => {
      const [, started] = /^is process (\d+)$/.exec(line) ?? [];
      if (started !== undefined) [pid, isReady] = [Number(started), false];
      if (line.startsWith("Ready: ")) isReady = true;
      say(line);
    },
    longestPauseMs,
  );
  const kill = () => {
    isReady = false;
    process.kill(pid, "SIGKILL");
  };
  return { kept, process: { name: role.name, kill, isReady: () => isReady } };
}
