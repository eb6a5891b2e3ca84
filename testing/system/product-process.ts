import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "../../infra/process/free-port.ts";
import { OperatorError } from "../../infra/process/operator-error.ts";
import { patienceMs } from "../setup/patience.ts";
import { ownSettings } from "./own-settings.ts";

/** The whole product in a process of its own, on folders and ports of its own. */
export type Product = {
  url: string;
  /** Of the running process. */
  pid: () => number;
  /** Every line that it wrote, over all starts. */
  said: readonly string[];
  /** Ends it as a power cut would; the data stays. */
  kill: () => Promise<void>;
  /** Starts it again on the same data and port. */
  start: () => Promise<void>;
  /** Asks it to stop and removes its data. Answers the exit code. */
  dispose: () => Promise<number | null>;
};

/** What a process is started with; `DATA_DIR` is in its own temporary folder. */
type Settings = Record<string, string> & { readonly DATA_DIR: string };

/** What comes before the start, on the folders of the product. */
export type Prepare = (settings: Settings) => Promise<void>;

const root = join(import.meta.dirname, "..", "..");

/**
 * Starts the product as `npm start` does, with its own defaults and only warnings in its log unless `env` says otherwise;
 * `prepare` comes before it, on the same folders.
 */
export async function startProduct(
  env: Record<string, string> = {},
  prepare: Prepare = async () => undefined,
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), "certificates-e2e-"));
  const [port, cardPort] = [await freePort(), await freePort()];
  const settings = {
    PORT: String(port),
    SANDBOX_CARD_PORT: String(cardPort),
    DATA_DIR: join(folder, "data"),
    KEY_DIR: join(folder, "keys"),
    LOG_LEVEL: "warn",
    SKIP_WEB_BUILD: "1",
    ...env,
  };
  await prepare(settings);
  const said: string[] = [];
  let child = await launch(settings, said);
  return {
    url: `http://localhost:${port}`,
    pid: () => child.pid ?? 0,
    said,
    kill: () => end(child, "SIGKILL").then(() => undefined),
    start: async () => {
      child = await launch(settings, said);
    },
    dispose: async () => {
      const code = await end(child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

async function launch(settings: Settings, said: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, "services", "composition", "processes", "product.ts")], {
    ...ownSettings(dirname(settings.DATA_DIR), settings),
    // The channel tells it when this process is gone, however it went.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const before = said.length;
  const ready = new Promise<void>((done, fail) => {
    const timer = setTimeout(
      () => fail(new Error(`Not ready in time. It said:\n${said.slice(before).join("\n")}`)),
      patienceMs,
    );
    for (const stream of [child.stdout, child.stderr].filter((pipe) => pipe !== null)) {
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        if (line.startsWith("Ready: ")) done();
      });
    }
    child.once("exit", (code) =>
      fail(
        new OperatorError(
          `Ended with ${code} before it was ready. It said:\n${said.slice(before).join("\n")}`,
        ),
      ),
    );
    child.once("exit", () => clearTimeout(timer));
    child.once("error", fail);
  });
  await ready;
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
  return child.exitCode;
}

/** Fills a product's folders with invented orders and tickets, as `npm run seed` does. */
export async function seedProduct(settings: Settings): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, "services", "operations", "seed", "main.ts")], {
    ...ownSettings(dirname(settings.DATA_DIR), settings),
  });
}
