import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  addLeavesTo,
  inventedLeaves,
  signerNamed,
  tilesOf,
} from "../../testing/infra/transparency-fixture.ts";
import { checkpointAt, type StartedWitness, startWitness } from "../../testing/infra/witness-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { createLog } from "../process/log.ts";
import { readPublished } from "./checkpoint-signer.ts";
import { createCosigners, watchQuorum } from "./cosigners.ts";
import { openCheckpoint } from "./formats/checkpoint.ts";
import { cosign, formatSignature, parseNote } from "./formats/signed-note.ts";
import { signatureTypes } from "./formats/verifier-key.ts";
import { forgetTree } from "./tree-records.ts";
import type { KnownWitness } from "./witness/ask-witness.ts";

const leaves = inventedLeaves(600);
const read = tilesOf(leaves);
const log = await signerNamed("certificates.example/transparency", signatureTypes.log);

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let one: StartedWitness;
let other: StartedWitness;
let clock: Date;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  clock = new Date("2026-11-21T09:30:00.000Z");
  await inTransaction(pool, forgetTree);
  await pool.query("truncate transparency_cosignatures");
  await addLeavesTo(pool, leaves, { position: "600", eventId: "event" });
  one = await startWitness("one.example", [log.key], () => clock);
  other = await startWitness("other.example", [log.key], () => clock);
  closing.push(one.close, other.close);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const cosigners = (witnesses: readonly KnownWitness[], withinMs = 5_000) =>
  createCosigners({
    ...{ pool, witnesses, quorum: 2, signEverySeconds: 60, withinMs },
    ...{ now: () => clock, log: createLog("silent") },
  });

async function publish(size: number, tree = read): Promise<void> {
  const note = await checkpointAt(log, size, tree);
  await pool.query("update transparency_checkpoint set size = $1, note = $2", [size, note]);
}

async function signedBy(witnesses: readonly KnownWitness[]): Promise<string[]> {
  const note = (await readPublished(pool))?.note ?? "";
  const keys = witnesses.map(({ key }) => key);
  return (await openCheckpoint(note, [log.key], keys)).witnesses.map(({ key }) => key.name);
}

it("has all witnesses sign each checkpoint, which is served with what they signed", async () => {
  const asking = cosigners([one, other]);
  for (const size of [7, 300, 600]) {
    await publish(size);
    expect(await signedBy([one, other])).toEqual([]);
    await asking.askNow();
    expect((await signedBy([one, other])).toSorted()).toEqual(["one.example", "other.example"]);
  }
});

it("goes on after a restart, from the size that the witness names", async () => {
  await publish(300);
  await cosigners([one]).askNow();
  await publish(600);
  await cosigners([one]).askNow();
  expect(await signedBy([one])).toEqual(["one.example"]);
});

it("keeps the signature of the one while the other is away, and asks that again later and later", async () => {
  await other.close();
  closing.pop();
  let asked = 0;
  const counted = createServer((_, response) => {
    asked += 1;
    response.writeHead(503).end();
  }).listen(0, "127.0.0.1");
  const bound = await new Promise<number>((resolve) => {
    counted.once("listening", () => {
      const address = counted.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
  closing.push(async () => void counted.close());
  const away = { key: other.key, address: `http://127.0.0.1:${bound}` };
  const asking = cosigners([one, away]);
  await publish(300);
  const seen: number[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    await asking.askNow();
    seen.push(asked);
    clock = new Date(clock.getTime() + 60_000);
  }
  expect(await signedBy([one, away])).toEqual(["one.example"]);
  expect(seen).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4, 4]);
});

it("waits for a witness no longer than it may, and not at all for the others", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  closing.push(async () => {
    silent.closeAllConnections();
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  await publish(300);
  await cosigners([{ key: other.key, address: `http://127.0.0.1:${port}` }, one], 300).askNow();
  expect(await signedBy([one])).toEqual(["one.example"]);
});

it("keeps no signature of another key, another checkpoint, or another witness", async () => {
  await publish(300);
  const note = parseNote((await readPublished(pool))?.note ?? "");
  const witness = await signerNamed("one.example", signatureTypes.witness);
  const stranger = await signerNamed("one.example", signatureTypes.witness);
  const older = parseNote(await checkpointAt(log, 7, read));
  const forged = { key: witness.key, sign: stranger.sign };
  const answers = [
    formatSignature(await cosign(note.text, 1, stranger)),
    formatSignature(await cosign(older.text, 1, witness)),
    formatSignature(await cosign(note.text, 1, forged)),
    "no signature\n",
    "",
  ];
  for (const body of answers) {
    const server = createServer((_, response) => void response.end(body)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const lying = { key: witness.key, address: `http://127.0.0.1:${port}` };
    await cosigners([lying]).askNow();
    server.closeAllConnections();
    server.close();
    expect(await signedBy([lying])).toEqual([]);
  }
});

it("gets no signature for a tree that the witness knows to be another", async () => {
  await publish(300);
  await cosigners([one]).askNow();
  await inTransaction(pool, forgetTree);
  const changed = inventedLeaves(601).slice(1);
  await addLeavesTo(pool, changed, { position: "600", eventId: "event" });
  for (const size of [600, 300, 200]) {
    await publish(size, tilesOf(changed));
    await cosigners([one]).askNow();
    expect(await signedBy([one])).toEqual([]);
  }
});

it("shows what belongs to the published checkpoint only, also when an older build signs the next", async () => {
  await publish(300);
  await cosigners([one]).askNow();
  expect(await signedBy([one])).toEqual(["one.example"]);
  await publish(600);
  expect(await signedBy([one])).toEqual([]);
});

it("says for how long too few have signed", async () => {
  const belowQuorum = watchQuorum(pool, 2, () => clock);
  await publish(300);
  expect(await belowQuorum()).toBe(0);
  await cosigners([one]).askNow();
  clock = new Date(clock.getTime() + 90_000);
  expect(await belowQuorum()).toBe(90);
  await cosigners([one, other]).askNow();
  expect(await belowQuorum()).toBe(0);
});
