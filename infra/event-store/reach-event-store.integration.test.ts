import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { selfSignedCertificate } from "../../testing/infra/certificate-fixture.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { freePort } from "../process/free-port.ts";
import { openEventStore } from "./open-event-store.ts";

const nowhere = "postgres://nobody:none@127.0.0.1:9/none";
const folder = temporaryFolder("tls");
const caFile = join(folder, "ca.crt");
let pool: Pool;
let plain: FakeEventStoreDb;
let secure: FakeEventStoreDb;
beforeAll(async () => {
  const tls = selfSignedCertificate("localhost");
  writeFileSync(caFile, tls.cert);
  pool = createPool(nowhere);
  plain = await startFakeEventStoreDb();
  secure = await startFakeEventStoreDb({ tls });
});
afterAll(async () => {
  await Promise.all([plain.stop(), secure.stop(), pool.end()]);
});

const open = (url: string, patienceMs = 0) =>
  openEventStore({ url, pool, connectionString: nowhere, patienceMs });
const refusalOf = async (url: string, patienceMs = 0): Promise<string> =>
  open(url, patienceMs).then(
    async (store) => store.close().then(() => "opened"),
    (error: unknown) => String(error),
  );

describe("A start whose event store has TLS", () => {
  it("trusts the authority that tlsCaFile names", async () => {
    const store = await open(`${secure.url}?tlsCaFile=${caFile}`);
    await store.append({
      stream: "thing-1",
      expectedRevision: "none",
      events: [{ id: "0194c7a0-0000-7000-8000-000000000001", type: "Happened", data: {}, metadata: {} }],
    });
    expect(await store.readStream("thing-1")).toHaveLength(1);
    await store.close();
  });

  it.each([
    ["one node", () => secure.url],
    ["a cluster", () => `${secure.url},localhost:${secure.port}?nodePreference=leader`],
  ])("fails at once asking for the certificate authority of %s", async (_, url) => {
    const sentence = await refusalOf(url(), 60_000);
    expect(sentence).toContain("its certificate is not trusted: add tlsCaFile");
    expect(sentence).not.toMatch(/tls=false|ann:none/);
  });

  it("fails because the certificate is for another name", async () => {
    const url = `esdb://ann:none@127.0.0.1:${secure.port}?tlsCaFile=${caFile}`;
    expect(await refusalOf(url, 60_000)).toContain("its certificate is for other names");
  });

  it("fails asking to leave out tls=false", async () => {
    expect(await refusalOf(`esdb://localhost:${secure.port}?tls=false`)).toContain("leave out tls=false");
  });
});

it("A start that expects TLS of a server without it fails at once", async () => {
  expect(await refusalOf(`esdb://ann:none@127.0.0.1:${plain.port}`, 60_000)).toContain("it does not use TLS");
});

describe("A start whose cluster has no leader", () => {
  const cluster = async () => `esdb://127.0.0.1:${plain.port},127.0.0.1:${await freePort()}?tls=false`;

  it("fails with that reason, without blaming user and password", async () => {
    plain.faults.leaderless = true;
    const sentence = await refusalOf(await cluster());
    expect(sentence).toContain("none of its nodes knows a leader");
    expect(sentence).not.toContain("password");
  });

  it("waits for one", async () => {
    plain.faults.leaderless = true;
    const opening = open(await cluster(), 60_000);
    // Ten requests are one search of the client: it has failed and started again.
    await expect.poll(() => plain.searches()).toBeGreaterThan(20);
    plain.faults.leaderless = false;
    await (await opening).close();
  });
});
