import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createKurrentEventStore } from "../../infra/event-store/kurrent/kurrent-event-store.ts";
import { installationSecrets, openBoundSecrets } from "../../infra/key-ring/installation-secrets.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { createLog } from "../../infra/process/log.ts";
import { createMeter } from "../../infra/telemetry/metrics/meter.ts";
import { untraced } from "../../infra/telemetry/tracing/tracing.ts";
import { startFakeEventStoreDb } from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { testMailer } from "../../testing/providers/fake-providers.ts";
import { createMemoryPayments } from "../../testing/providers/memory-payments.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { createAutomationClient } from "../providers/gro/automation-client.ts";
import { createProviderCalls, watchOutside } from "../telemetry/provider-calls.ts";
import { serviceFamilies } from "../telemetry/service-families.ts";
import { databaseReady, keysReady, logReady, providersReady } from "./readiness.ts";

const folder = () => temporaryFolder("ready");

describe("Keys", () => {
  async function bound(keyDir: string, mirror?: string) {
    const { connectionString, drop } = await testDatabase();
    const pool = createPool(connectionString);
    onTestFinished(async () => {
      await pool.end();
      await drop();
    });
    const config = { KEY_DIR: keyDir, KEY_MIRROR_DIR: mirror, ACCEPT_NEW_KEYS: undefined };
    await openBoundSecrets(config, pool, { warn: () => undefined });
    return { pool };
  }

  it("are ready in the folder that the database is bound to, and not once it is replaced", async () => {
    const [keyDir, other] = [join(folder(), "keys"), join(folder(), "keys")];
    const parts = await bound(keyDir);
    const { check } = keysReady(parts, { KEY_DIR: keyDir, KEY_MIRROR_DIR: undefined });
    expect(await check()).toBeUndefined();
    mkdirSync(other);
    await installationSecrets(other).secret("key-folder");
    rmSync(keyDir, { recursive: true });
    renameSync(other, keyDir);
    expect(await check()).toBe("KEY_DIR is not the folder that this database is bound to");
  });

  it("are not ready once an empty folder takes the place of either", async () => {
    const folders = { KEY_DIR: folder(), KEY_MIRROR_DIR: folder() };
    const { check } = keysReady(await bound(folders.KEY_DIR, folders.KEY_MIRROR_DIR), folders);
    expect(await check()).toBeUndefined();
    rmSync(join(folders.KEY_MIRROR_DIR, "installation"), { recursive: true });
    expect(await check()).toBe(
      "KEY_MIRROR_DIR is not the mirror of the folder that this database is bound to",
    );
    rmSync(join(folders.KEY_DIR, "installation"), { recursive: true });
    expect(await check()).toBe("KEY_DIR is not the folder that this database is bound to");
  });

  it("are not ready in a read-only folder, or with a read-only mirror", async () => {
    const keyDir = join(folder(), "keys");
    const parts = await bound(keyDir);
    const file = join(folder(), "no-folder");
    writeFileSync(file, "");
    const withMirror = keysReady(parts, { KEY_DIR: keyDir, KEY_MIRROR_DIR: file });
    expect(await withMirror.check()).toBe("KEY_MIRROR_DIR cannot be written to");
    rmSync(keyDir, { recursive: true });
    const { check } = keysReady(parts, { KEY_DIR: keyDir, KEY_MIRROR_DIR: undefined });
    expect(await check()).toBe("KEY_DIR cannot be written to");
  });

  it("are tested once a second, however often readiness is checked", async () => {
    const [keyDir, mirror] = [join(folder(), "keys"), join(folder(), "mirror")];
    mkdirSync(mirror);
    let nowMs = 0;
    const { check } = keysReady(
      await bound(keyDir, mirror),
      { KEY_DIR: keyDir, KEY_MIRROR_DIR: mirror },
      () => nowMs,
    );
    expect(await check()).toBeUndefined();
    rmSync(mirror, { recursive: true });
    nowMs = 999;
    expect(await check()).toContain("KEY_MIRROR_DIR is not the mirror");
    nowMs = 1_000;
    expect(await check()).toBe("KEY_MIRROR_DIR cannot be written to");
  });
});

it("A database that takes no writes is not ready, until it does", async () => {
  const { connectionString, drop } = await testDatabase();
  const pool = createPool(connectionString);
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  const { check } = databaseReady(pool, () => undefined);
  expect(await check()).toBeUndefined();
  await pool.query("set default_transaction_read_only = on");
  expect(await check()).toBe("the server takes no writes");
  expect(await check()).toBeUndefined();
});

it("An unavailable event store is not ready until it is back", async () => {
  const fake = await startFakeEventStoreDb();
  const store = createKurrentEventStore({ url: fake.url });
  onTestFinished(() => store.close());
  const { check } = logReady(
    async () => {
      await store.head();
    },
    { EVENTSTORE_URL: fake.url },
  );
  expect(await check()).toBeUndefined();
  await fake.stop();
  await expect(check()).rejects.toThrow();
});

describe("A provider", () => {
  async function automationAt(answer: () => number) {
    const server = createServer((_request, response) => void response.writeHead(answer()).end("{}"));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = z.object({ port: z.int() }).parse(server.address());
    return `http://127.0.0.1:${port}`;
  }

  it("that does not answer degrades a process, after three calls or an open circuit, until it answers", async () => {
    let status = 500;
    const now = () => new Date("2026-11-21T09:00:00.000Z");
    const calls = createProviderCalls({
      families: serviceFamilies(createMeter()),
      tracing: untraced,
      log: createLog("silent"),
      now,
    });
    const client = createAutomationClient({
      url: await automationAt(() => status),
      secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
      now,
      newId: () => "notice",
      pauseMs: 1,
    });
    const { automation } = watchOutside(
      {
        automation: client,
        payments: createMemoryPayments(),
        mailer: testMailer(),
        identity: {
          namesOf: async () => new Map(),
          endSession: async () => undefined,
          endSessionsOf: async () => undefined,
        },
      },
      calls,
    );
    const { check, degrades } = providersReady(calls);
    expect([await check(), degrades]).toEqual([undefined, true]);
    for (let n = 0; n < 3; n++) await expect(automation.ask("key")).rejects.toThrow();
    expect(await check()).toBe("automation has not answered since 2026-11-21T09:00:00.000Z");
    // A refusal is an answer.
    status = 401;
    await vi.waitFor(async () => {
      await automation.ask("key").catch(() => undefined);
      expect(await check()).toBeUndefined();
    }, soon);
  });
});
