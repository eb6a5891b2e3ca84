import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FaultProxy } from "../../testing/event-store/fault-proxy.ts";
import { selfSignedCertificate } from "../../testing/infra/certificate-fixture.ts";
import { patienceMs, soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { isTransientError } from "../following/transient-fault.ts";
import { createBullMqJobs } from "../jobs/bullmq-jobs.ts";
import { createLog } from "../process/log.ts";
import { startEmbedded } from "./embedded.ts";
import { endClient } from "./pool.ts";
import { endingWhenSilent } from "./silent-connections.ts";

let server: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  const folder = temporaryFolder("tls-postgres");
  const settings = Object.entries(selfSignedCertificate("localhost")).map(([name, pem]) => {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, pem);
    // Postgres refuses a key that others can read.
    chmodSync(path, 0o600);
    return `ssl_${name}_file=${path}`;
  });
  server = await startEmbedded({ directory: join(folder, "data"), settings: ["ssl=on", ...settings] });
}, patienceMs);
afterAll(() => server.stop());

/** Longer than a busy machine takes to connect and to answer. */
const silentMs = 3_000;

describe.each([
  { kind: "plain", query: "" },
  { kind: "TLS", query: "?sslmode=no-verify" },
])("A $kind connection to Postgres", ({ query }) => {
  /** Connected through a proxy, with what the connection has reported. */
  async function connected(isWatched: boolean) {
    const { proxy, connectionString } = await FaultProxy.before(server.connectionString + query);
    const client = new pg.Client({
      connectionString,
      query_timeout: silentMs,
      ...(isWatched && { stream: endingWhenSilent(silentMs) }),
    });
    const faults: string[] = [];
    client.on("error", ({ name }) => faults.push(name));
    await client.connect();
    return {
      client,
      faults,
      proxy,
      [Symbol.asyncDispose]: () => endClient(client).then(() => proxy.close()),
    };
  }

  it("is encrypted as its address says", async () => {
    await using connection = await connected(true);
    const { rows } = await connection.client.query(
      "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
    );
    expect(rows).toEqual([{ ssl: query !== "" }]);
  });

  it("ends when it falls silent, so that its keeper makes another", async () => {
    await using connection = await connected(true);
    const { client, faults, proxy } = connection;
    proxy.swallowAnswers(true);
    await expect(client.query("select 1")).rejects.toThrow();
    await vi.waitFor(() => expect(faults).toContain("ServerSilent"), soon);
    await expect(client.query("select 1")).rejects.toThrow("not queryable");
  });

  it("ends when it falls silent in the middle of an answer", async () => {
    await using connection = await connected(true);
    const { client, faults, proxy } = connection;
    client.once("notice", () => proxy.swallowAnswers(true));
    await expect(
      client.query("do $$ begin raise notice 'begun'; perform pg_sleep(0.1); end $$"),
    ).rejects.toThrow();
    await vi.waitFor(() => expect(faults).toContain("ServerSilent"), soon);
  });

  it("would be kept otherwise, and nothing on it would be answered (control)", async () => {
    await using connection = await connected(false);
    const { client, faults, proxy } = connection;
    proxy.swallowAnswers(true);
    for (const _ of [1, 2]) await expect(client.query("select 1")).rejects.toThrow("Query read timeout");
    expect(faults).toEqual([]);
  });

  it("stays open when it is answered, and when it has nothing to say", async () => {
    await using connection = await connected(true);
    const { client, faults } = connection;
    const answer = async () => (await client.query("select 1 as n")).rows;
    expect(await answer()).toEqual([{ n: 1 }]);
    await delay(silentMs * 1.5);
    expect(await answer()).toEqual([{ n: 1 }]);
    expect(faults).toEqual([]);
  });

  it("of the queue is kept while it is idle, and replaced when it falls silent", async () => {
    const { proxy, connectionString } = await FaultProxy.before(server.connectionString + query);
    const onAway = vi.fn();
    const jobs = await createBullMqJobs({
      ...{
        connectionString,
        queueName: "silence",
        log: createLog("silent"),
        onAway,
        silentAfterMs: silentMs,
      },
    });
    const look = vi.fn(async () => undefined);
    await jobs.work(look);
    await delay(silentMs * 1.5);
    expect(onAway).not.toHaveBeenCalled();
    proxy.swallowAnswers(true);
    const fault = await jobs.add("lost").catch((error: unknown) => error);
    expect(isTransientError(fault), String(fault)).toBe(true);
    await vi.waitFor(() => expect(onAway).toHaveBeenCalled(), soon);
    proxy.swallowAnswers(false);
    await vi.waitFor(() => jobs.add("kept"), soon);
    await vi.waitFor(() => expect(look).toHaveBeenCalled(), soon);
    await jobs.close();
    await proxy.close();
  });
});
