import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inventedLeaves, signerNamed, tilesOf } from "../../../testing/infra/transparency-fixture.ts";
import { checkpointAt, type StartedWitness, startWitness } from "../../../testing/infra/witness-fixture.ts";
import { base64Of } from "../formats/bytes.ts";
import { openCheckpoint } from "../formats/checkpoint.ts";
import { signatureTypes } from "../formats/verifier-key.ts";
import { formatWitnessRequest, parseWitnessRequest } from "../formats/witness-request.ts";
import { proveConsistency } from "../tree-proofs.ts";

const origin = "certificates.example/transparency";
const log = await signerNamed(origin, signatureTypes.log);
const successor = await signerNamed(origin, signatureTypes.log);
const otherLog = await signerNamed("other.example", signatureTypes.log);
const read = tilesOf(inventedLeaves(600));
const forked = tilesOf(inventedLeaves(601).slice(1));
const clock = () => new Date("2026-11-21T09:30:00.900Z");

let witness: StartedWitness;
beforeEach(async () => {
  witness = await startWitness("witness.example", [log.key, successor.key, otherLog.key], clock);
});
afterEach(() => witness.close());

const post = (body: string, path = "/add-checkpoint") =>
  fetch(`${witness.address}${path}`, { method: "POST", body });

async function add(old: number, size: number, { tree = read, by = log, from = old } = {}) {
  const proof = from > size ? [] : await proveConsistency(from, size, tree(size));
  const answer = await post(
    formatWitnessRequest({ old, proof, checkpoint: await checkpointAt(by, size, tree) }),
  );
  return { status: answer.status, type: answer.headers.get("Content-Type"), text: await answer.text() };
}

it("signs the first checkpoint and each that extends it, with the time", async () => {
  for (const [old, size] of [
    [0, 7],
    [7, 300],
    [300, 300],
    [300, 600],
  ] as const) {
    const { status, text } = await add(old, size);
    expect(status).toBe(200);
    const note = (await checkpointAt(log, size, read)) + text;
    const { witnesses } = await openCheckpoint(note, [log.key], [witness.key]);
    expect(witnesses).toEqual([{ key: witness.key, time: Date.parse("2026-11-21T09:30:00.000Z") / 1000 }]);
  }
});

it("answers 409 with the size it knows, and signs from there", async () => {
  await add(0, 300);
  const conflict = { status: 409, type: "text/x.tlog.size", text: "300\n" };
  expect(await add(0, 600)).toEqual(conflict);
  expect(await add(200, 600)).toEqual(conflict);
  expect(await add(301, 600)).toEqual(conflict);
  expect((await add(300, 600)).status).toBe(200);
});

it("signs no older tree, no other tree of the same size, and no fork", async () => {
  await add(0, 300);
  expect((await add(200, 200)).status).toBe(409);
  expect(await add(300, 300, { tree: forked })).toMatchObject({ status: 409, text: "300\n" });
  expect((await add(300, 600, { tree: forked })).status).toBe(422);
  expect((await add(300, 600, { from: 200 })).status).toBe(422);
  expect((await add(300, 600)).status).toBe(200);
});

it("refuses unknown logs, other signatures, and sizes that shrink", async () => {
  const stranger = await signerNamed("stranger.example", signatureTypes.log);
  expect((await add(0, 7, { by: stranger })).status).toBe(404);
  const forger = await signerNamed(origin, signatureTypes.log);
  expect((await add(0, 7, { by: forger })).status).toBe(403);
  const own = { ...log, key: { ...log.key, publicKey: forger.key.publicKey } };
  expect((await add(0, 7, { by: { ...own, sign: forger.sign } })).status).toBe(403);
  expect((await add(8, 7)).status).toBe(400);
  expect((await add(0, 7)).status).toBe(200);
});

it.each([
  ["", "nothing"],
  ["old 0\n", "no checkpoint"],
  ["old -1\n\nx\n1\ny\n\n— x AAAAAAA=\n", "a negative size"],
  ["old 01\n\nx\n", "a size with a leading zero"],
  [`old 0\n${"A".repeat(43)}\n\nx\n`, "a hash that is none"],
  [`old 0\n${`${base64Of(new Uint8Array(32))}\n`.repeat(64)}\nx\n`, "64 hashes"],
  ["old 0\n\nno checkpoint\n", "a text without a note"],
])("answers 400 to %j: %s", async (body) => expect((await post(body)).status).toBe(400));

it("takes only what the protocol has, and no more than its size", async () => {
  expect((await post("", "/")).status).toBe(404);
  expect((await fetch(`${witness.address}/add-checkpoint`)).status).toBe(405);
  expect((await post("o".repeat(80 * 1024))).status).toBe(413);
});

it("keeps several logs apart, and takes a log's successor key", async () => {
  expect((await add(0, 300)).status).toBe(200);
  expect((await add(0, 7, { by: otherLog })).status).toBe(200);
  expect((await add(300, 301, { by: successor })).status).toBe(200);
  expect((await add(7, 8, { by: otherLog })).status).toBe(200);
});

it("goes on where it was after a restart, with the same key, and leaves no drafts", async () => {
  await add(0, 300);
  await witness.close();
  const { folder, key } = witness;
  witness = await startWitness("witness.example", [log.key], clock, folder);
  expect(witness.key).toEqual(key);
  expect(await add(0, 600)).toMatchObject({ status: 409, text: "300\n" });
  expect(await readdir(folder)).toEqual(["key.pem", "logs"]);
  expect(await readdir(join(folder, "logs"))).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

it("signs one of two checkpoints that come at once from the same size", async () => {
  await add(0, 300);
  const statuses = (await Promise.all([add(300, 400), add(300, 600)])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409]);
});

it("signs nothing when its folder went back while it ran", async () => {
  await add(0, 300);
  await rm(join(witness.folder, "logs"), { recursive: true });
  expect((await add(0, 7)).status).toBe(500);
  expect(witness.errors).toHaveLength(1);
});

it("reads the requests that it writes", () => {
  const request = { old: 3, proof: [new Uint8Array(32)], checkpoint: "a\n\nb\n" };
  expect(parseWitnessRequest(formatWitnessRequest(request))).toEqual(request);
});
