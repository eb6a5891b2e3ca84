import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { watchOver } from "../../infra/postgres/embedded-process.ts";
import { freePort } from "../../infra/process/free-port.ts";

/** This machine's redis-server, in memory only; started again, empty, whenever it ends. */
export type KeptRedis = {
  readonly url: string;
  /** Ends it with kill -9. */
  readonly kill: () => void;
  readonly isReady: () => Promise<boolean>;
};

const restartAfterMs = 250;

export async function startRedis(closing: AsyncDisposableStack): Promise<KeptRedis> {
  const folder = mkdtempSync(join(tmpdir(), "certificates-redis-"));
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder];
  const forgetful = ["--save", "", "--appendonly", "no"];
  const start = () => {
    const started = spawn("redis-server", [...settings, ...forgetful], { stdio: "ignore" });
    const unwatch = started.pid === undefined ? undefined : watchOver(started.pid);
    if (unwatch) started.once("exit", unwatch);
    return started;
  };
  let isOver = false;
  let server: ChildProcess = start();
  await once(server, "spawn");
  const kept = keep();

  async function keep(): Promise<void> {
    for (;;) {
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      if (!isOver) await delay(restartAfterMs);
      if (isOver) return;
      server = start();
    }
  }

  closing.defer(async () => {
    isOver = true;
    server.kill("SIGKILL");
    await kept;
  });
  return {
    url: `redis://127.0.0.1:${port}/0`,
    kill: () => void server.kill("SIGKILL"),
    isReady: () => answers(port),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const done = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on("data", (said) => done(said.toString().startsWith("+PONG")));
    socket.on("error", () => done(false)).on("close", () => done(false));
    socket.connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
  });
}
