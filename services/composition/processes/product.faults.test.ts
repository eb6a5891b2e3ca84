import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freePort } from "../../../infra/process/free-port.ts";
import { listProcesses } from "../../../testing/postgres/embedded-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { ownSettings } from "../../../testing/system/own-settings.ts";

/** The product as a process, with its output as an operator sees it. */
type Started = { process: ChildProcess; said: () => string };

let folder: string;
let port: number;
let cardPort: number;
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = temporaryFolder("process");
  [port, cardPort] = [await freePort(), await freePort()];
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  await vi.waitFor(() => expect(processesOf(folder)).toEqual([]), soon);
});

function start(settings: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [join(import.meta.dirname, "product.ts")], {
    ...ownSettings(folder, {
      PORT: String(port),
      SANDBOX_CARD_PORT: String(cardPort),
      DATA_DIR: join(folder, "data"),
      KEY_DIR: join(folder, "keys"),
      LOG_LEVEL: "silent",
      SKIP_WEB_BUILD: "1",
      ...settings,
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (words: string) => {
      said += words;
    });
  }
  return { process: child, said: () => said };
}

/** Waits until it is ready; if it ends first, fails at once with its output. */
async function ready({ process: child, said }: Started): Promise<void> {
  await vi.waitUntil(() => said().includes("Ready: ") || child.exitCode !== null, soon);
  expect(said()).toContain("Ready: ");
}

async function exitCode({ process: child }: Started): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Every process with the test's folder in its command line: the embedded server. */
function processesOf(path: string): string[] {
  return listProcesses()
    .map(({ command }) => command)
    .filter((command) => command.includes(path));
}

const serverPid = () =>
  Number(readFileSync(join(folder, "data", "cluster", "postmaster.pid"), "utf8").split("\n")[0]);

async function problems(): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  return response.json();
}

it("ends with 0 on SIGTERM, and leaves no process behind", async () => {
  const product = start();
  await ready(product);
  expect(processesOf(folder)).not.toEqual([]);
  product.process.kill("SIGTERM");
  expect(await exitCode(product)).toBe(0);
  // Stopped processes need a moment to exit.
  await vi.waitFor(() => expect(processesOf(folder)).toEqual([]), soon);
});

it("treats the two signals of one Ctrl-C as one", async () => {
  const product = start();
  await ready(product);
  product.process.kill("SIGINT");
  product.process.kill("SIGINT");
  expect(await exitCode(product)).toBe(0);
});

it("can be stopped while starting, and starts again afterwards", async () => {
  const first = start();
  await vi.waitFor(() => expect(existsSync(join(folder, "data"))).toBe(true), soon);
  first.process.kill("SIGTERM");
  expect(await exitCode(first)).toBe(0);
  expect(first.said()).toBe("");
  await vi.waitFor(() => expect(processesOf(folder)).toEqual([]), soon);
  const second = start();
  await ready(second);
  second.process.kill("SIGTERM");
  expect(await exitCode(second)).toBe(0);
});

it("leaves no server behind when killed with -9, and starts again", async () => {
  const first = start();
  await ready(first);
  first.process.kill("SIGKILL");
  const second = start();
  await ready(second);
  second.process.kill("SIGTERM");
  expect(await exitCode(second)).toBe(0);
});

it("recovers after its database was killed", async () => {
  const product = start();
  await ready(product);
  const before = serverPid();
  process.kill(before, "SIGKILL");
  await vi.waitFor(() => expect(serverPid()).not.toBe(before), soon);
  await vi.waitFor(
    async () => expect(await problems()).toEqual({ status: "ready", problems: [], degraded: [] }),
    soon,
  );
});

it("reports a port in use before starting anything", async () => {
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  const product = start();
  expect(await exitCode(product)).toBe(1);
  expect(product.said()).toBe(
    `Port ${port} is taken by another process: stop it, or set PORT to a free port (SANDBOX_CARD_PORT is the next one unless it is set).\n`,
  );
  expect(existsSync(join(folder, "data"))).toBe(false);
  other.close();
});

it("does not start in production with a sandbox that was not allowed", async () => {
  const product = start({ NODE_ENV: "production" });
  expect(await exitCode(product)).toBe(1);
  expect(product.said()).toContain("set ALLOW_SANDBOX to 1 if this is intended.");
});

/** Well-formed keys of accounts that do not exist: a start does not verify them. */
const realKeys = {
  PUBLIC_URL: "https://www.example.com",
  STRIPE_SECRET_KEY: "rk_live_abcdefghij0123",
  STRIPE_PUBLISHABLE_KEY: "pk_live_abcdefghij0123",
  STRIPE_WEBHOOK_SECRET: "whsec_abcdefghijklmnop",
  CLERK_SECRET_KEY: "sk_live_abcdefghij0123",
  CLERK_PUBLISHABLE_KEY: `pk_live_${Buffer.from("clerk.example.com$").toString("base64")}`,
  CLERK_JWT_KEY: generateKeyPairSync("rsa", { modulusLength: 2048 })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString()
    .replaceAll("\n", "\\n"),
  CLERK_ISSUER: "https://clerk.example.com",
  SMTP_URL: "smtps://user:pass@mail.example.com",
  GRO_AUTOMATION_URL: "https://gro.example.com",
  GRO_AUTOMATION_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
};

/** The details that the law demands, of a company that does not exist. */
const identified = {
  COMPANY_NAME: "Kith and Copy Ltd",
  COMPANY_NUMBER: "01234567",
  COMPANY_REGISTERED_IN: "England and Wales",
  POSTAL_ADDRESS: "1 High Street, Nottingham, NG1 1AA",
  SUPPORT_EMAIL: "help@kithandcopy.co.uk",
};

it("does not start in production while customers could not tell who we are", async () => {
  const { POSTAL_ADDRESS: _forgotten, ...most } = identified;
  const product = start({ NODE_ENV: "production", ...realKeys, ...most });
  expect(await exitCode(product)).toBe(1);
  expect(product.said()).toContain(
    "Missing: a full postal address with its postcode (no PO box) (POSTAL_ADDRESS). Set each",
  );
  expect(product.said()).not.toMatch(/at .*\.ts:/);
});

it("starts in production with all keys, without the sandbox, and accepts no unsigned notice", async () => {
  const product = start({ NODE_ENV: "production", ...realKeys, ...identified });
  await ready(product);
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  expect(await (await ask("/api/config")).json()).toMatchObject({
    modes: { payments: "live", identity: "live", submission: "live", mail: "live" },
    sandbox: false,
    companyName: "Kith and Copy Ltd",
    registeredIn: "England and Wales",
    stripeScript: null,
    publishableKey: realKeys.STRIPE_PUBLISHABLE_KEY,
    clerkPublishableKey: realKeys.CLERK_PUBLISHABLE_KEY,
  });
  for (const path of ["stripe.js", "mail", "gro", "payments", "identity/persons"]) {
    expect((await ask(`/sandbox/${path}`)).status).toBe(404);
  }
  const unsigned = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  for (const provider of ["stripe", "gro"]) {
    expect((await ask(`/api/webhooks/${provider}`, unsigned)).status).toBe(400);
  }
  const policy = (await ask("/api/config")).headers.get("content-security-policy");
  expect(policy).toContain("https://js.stripe.com");
  expect(policy).not.toMatch(/localhost|127\.0\.0\.1/);
  expect(product.said()).not.toMatch(/abcdefghij0123|user:pass/);
});

it("does not start with half of a provider's keys, and names the missing ones", async () => {
  const { STRIPE_WEBHOOK_SECRET: _forgotten, ...most } = realKeys;
  const product = start({ NODE_ENV: "production", ...most });
  expect(await exitCode(product)).toBe(1);
  expect(product.said()).toContain("STRIPE_WEBHOOK_SECRET is missing, but STRIPE_SECRET_KEY and");
  expect(product.said()).not.toMatch(/abcdefghij0123|at .*\.ts:/);
});

it("does not start on an empty key folder once there is data", async () => {
  const first = start();
  await ready(first);
  first.process.kill("SIGTERM");
  await exitCode(first);
  rmSync(join(folder, "keys"), { recursive: true });
  const second = start();
  expect(await exitCode(second)).toBe(1);
  expect(second.said()).toContain("holds no keys");
  expect(existsSync(join(folder, "keys"))).toBe(false);
  await vi.waitFor(() => expect(processesOf(folder)).toEqual([]), soon);
});
