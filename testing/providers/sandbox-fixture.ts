import { randomBytes, randomUUID } from "node:crypto";
import express from "express";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import type { SandboxAddresses } from "../../services/providers/sandbox/addresses.ts";
import { type Listening, listen } from "../../services/providers/sandbox/http-server.ts";
import { createSandbox, type Sandbox } from "../../services/providers/sandbox/sandbox.ts";
import { testDatabase } from "../postgres/test-database.ts";

type Delivered = { path: string; body: string; headers: Record<string, string | undefined> };

/** A webhook receiver instead of the product, which a test can take down. It also serves the sandbox's routes. */
type Receiver = { url: string; delivered: Delivered[]; down: boolean };

type Addresses = NonNullable<SandboxAddresses["payments"]> & {
  automation: { url: string; secret: string };
  smtp: { host: string; port: number };
};

export type SandboxInTest = {
  sandbox: Sandbox;
  addresses: Addresses;
  receiver: Receiver;
  pool: Pool;
  /** Errors logged by the sandbox; a test may inspect them, and closing fails when any are left. */
  faults: string[];
  /** Stops the sandbox and starts another on the same database, like a restart. */
  restart: () => Promise<SandboxInTest>;
  close: () => Promise<void>;
};

type Wishes = Partial<
  Pick<
    Parameters<typeof createSandbox>[0],
    "dispatchAfterMs" | "stripeBehaviour" | "latestWebhookMs" | "random"
  >
>;
type Kept = { pool: Pool; drop: () => Promise<void>; installationSecret: Buffer };

/** A sandbox on a new database, delivering to a test receiver. */
export async function sandboxInTest(wishes: Wishes = {}): Promise<SandboxInTest> {
  const database = await testDatabase();
  const pool = createPool(database.connectionString, 8);
  return start({ pool, drop: database.drop, installationSecret: randomBytes(32) }, wishes);
}

async function start(kept: Kept, wishes: Wishes): Promise<SandboxInTest> {
  const faults: string[] = [];
  const log = { error: (details: unknown) => faults.push(JSON.stringify(details)) };
  const sandbox = createSandbox({
    pool: kept.pool,
    installationSecret: kept.installationSecret,
    cardPort: 0,
    dispatchAfterMs: null,
    now: () => new Date(),
    newId: randomUUID,
    random: Math.random,
    log,
    ...wishes,
  });
  const { payments, automation, smtp } = await sandbox.start();
  if (!payments || !automation || !smtp) throw new Error("A part of the sandbox is missing.");
  const addresses = { ...payments, automation, smtp };
  const { receiver, server } = await startReceiver(sandbox);
  sandbox.deliverTo(receiver.url);
  const stop = async () => {
    await sandbox.stop();
    await server.close();
  };
  return {
    sandbox,
    addresses,
    receiver,
    pool: kept.pool,
    faults,
    restart: async () => {
      await stop();
      return start(kept, wishes);
    },
    close: async () => {
      await stop();
      await kept.pool.end();
      await kept.drop();
      if (faults.length > 0) throw new Error(`The sandbox logged faults: ${faults.join("\n")}`);
    },
  };
}

async function startReceiver(sandbox: Sandbox): Promise<{ receiver: Receiver; server: Listening }> {
  const receiver: Receiver = { url: "", delivered: [], down: false };
  const app = express();
  app.use("/sandbox", sandbox.routes);
  app.post(/^\/api\/webhooks\//, express.text({ type: "application/json" }), (request, response) => {
    if (receiver.down) return response.status(503).end();
    const body = String(request.body);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    );
    receiver.delivered.push({ path: request.path, body, headers });
    return response.status(204).end();
  });
  const server = await listen(app, "127.0.0.1", 0);
  receiver.url = `http://127.0.0.1:${server.port}`;
  return { receiver, server };
}
