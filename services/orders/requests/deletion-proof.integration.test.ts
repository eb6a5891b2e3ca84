import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../../infra/postgres/pool.ts";
import { createLog } from "../../../infra/process/log.ts";
import { openCheckpointFile } from "../../../infra/transparency/checkpoint-file.ts";
import { createCheckpointSigner } from "../../../infra/transparency/checkpoint-signer.ts";
import { textOf } from "../../../infra/transparency/formats/bytes.ts";
import { verifyProofBundle } from "../../../infra/transparency/formats/proof-bundle.ts";
import { verifyProofFile } from "../../../infra/transparency/formats/proof-file.ts";
import type { NoteSigner } from "../../../infra/transparency/formats/signed-note.ts";
import { signatureTypes } from "../../../infra/transparency/formats/verifier-key.ts";
import { createPublicLog, type PublicLog } from "../../../infra/transparency/public-log.ts";
import { forgetTree, receiptIndex } from "../../../infra/transparency/tree-records.ts";
import { staffBrowser } from "../../../testing/gateway/admin-order-fixture.ts";
import { pricedOrder, startTestStack, type TestStack } from "../../../testing/gateway/stack-fixture.ts";
import { signerNamed } from "../../../testing/infra/transparency-fixture.ts";
import { recordPurge } from "../../../testing/services/paid-order-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { purgeDetails } from "../../compliance/purge-leaf.ts";

const origin = "certificates.example/transparency";
const by = { actor: { kind: "system", id: "test" }, correlationId: "test" } as const;

let stack: TestStack;
let publicLog: PublicLog;
let logSigner: NoteSigner;
let signer: ReturnType<typeof createCheckpointSigner>;

beforeAll(async () => {
  stack = await startTestStack({
    publicLog: {
      checkpoint: () => publicLog.checkpoint(),
      keys: () => publicLog.keys(),
      witnesses: () => publicLog.witnesses(),
      tile: (path) => publicLog.tile(path),
      prove: (event) => publicLog.prove(event),
      proveTogether: (events) => publicLog.proveTogether(events),
    },
  });
  const { pool, store, treeFollower: follower } = stack;
  logSigner = await signerNamed(origin, signatureTypes.log);
  const signers = async () => [logSigner];
  publicLog = createPublicLog({
    ...{ pool, store, signers, detailsOf: purgeDetails },
    retired: async () => [],
    witnesses: { quorum: 0, keys: [] },
  });
  const log = createLog("silent");
  const file = openCheckpointFile([temporaryFolder("deletion-proof")]);
  signer = createCheckpointSigner({
    pool,
    store,
    follower,
    file,
    origin,
    signers,
    now: () => new Date(),
    log,
    signEverySeconds: 60,
  });
});
afterAll(async () => {
  await stack?.close();
});

/** An order whose application was purged, with the purge's event in the tree. */
async function purgedOrder() {
  const browser = stack.browser();
  const { id, orderNumber } = await pricedOrder(browser);
  await browser.post(`/api/orders/${id}/cancel`, {});
  const { position } = await recordPurge(stack.deps, id, "application", by);
  const purge = (await stack.events(id)).findLast(({ type }) => type === "SensitiveDataPurged");
  await expect.poll(() => receiptIndex(stack.pool, purge?.id ?? ""), soon).toEqual(expect.any(Number));
  return { id, orderNumber, readAfter: { "Read-After": position }, purge };
}

const proofOf = (orderNumber: string, headers: Record<string, string> = {}) =>
  stack.browser().get(`/api/orders/lookup/${orderNumber}/order.tlog-proof`, headers);

test("proves the deletion to anyone who can see its certificate, once the log was signed", async () => {
  const { id, orderNumber, readAfter, purge } = await purgedOrder();
  const early = await proofOf(orderNumber, readAfter);
  expect(early.status).toBe(409);
  expect(early.headers.get("Retry-After")).toBe("60");
  expect(early.body).toMatchObject({ code: "proof-not-ready" });

  expect(await signer.signNow()).toBe("signed");
  const reply = await proofOf(orderNumber.toLowerCase().replaceAll("-", " "), readAfter);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(reply.headers.get("Content-Disposition")).toMatch(/filename="?deletion-[0-9a-f]{8}\.tlog-proof"?$/);
  expect(reply.headers.get("Cache-Control")).toBe("no-store");

  const verified = await verifyProofFile(reply.body, [logSigner.key]);
  const leaf = textOf(verified.extra);
  const { receipt } = (await stack.browser().post("/api/orders/lookup", { orderNumber }, readAfter)).body;
  expect(leaf).toContain(`\nevent ${purge?.id}\ntype SensitiveDataPurged\ntime ${receipt.at}\n`);
  expect(leaf).toContain(`\nkey ${receipt.keyFingerprint}\n`);
  expect(leaf).not.toContain(orderNumber);
  expect(leaf).not.toContain(id);
  await expect(verifyProofFile(reply.body.replace("index ", "index 1"), [logSigner.key])).rejects.toThrow();
});

test("stays valid while the log grows, and a later one is of the later tree", async () => {
  const { orderNumber, readAfter } = await purgedOrder();
  await signer.signNow();
  const first = (await proofOf(orderNumber, readAfter)).body;
  await purgedOrder();
  await signer.signNow();
  const second = (await proofOf(orderNumber, readAfter)).body;
  const [before, after] = [
    await verifyProofFile(first, [logSigner.key]),
    await verifyProofFile(second, [logSigner.key]),
  ];
  expect(after.checkpoint.size).toBeGreaterThan(before.checkpoint.size);
  expect([after.index, after.extra]).toEqual([before.index, before.extra]);
});

test("is not there for an order without a certificate of deletion, or an unknown one", async () => {
  const { orderNumber, position } = await pricedOrder(stack.browser());
  for (const number of [orderNumber, "0000-0000-00001", "nonsense"])
    expect((await proofOf(number, { "Read-After": position })).status).toBe(404);
});

test("compliance exports the proofs of all purges with one checkpoint, or one proof alone", async () => {
  const auditor = await staffBrowser(stack, "compliance", "auditor");
  const path = "/api/admin/compliance";
  const [first, second] = [await purgedOrder(), await purgedOrder()];
  await signer.signNow();
  const late = await purgedOrder();
  const purgesOf = async () => (await auditor.get(`${path}/purges?limit=200`)).body.purges;
  await expect
    .poll(async () => (await purgesOf()).map(({ id }: { id: string }) => id), soon)
    .toEqual(expect.arrayContaining([first, second, late].map(({ purge }) => purge?.id)));
  const reply = await auditor.get(`${path}/purge-proofs?from=2026-01-01`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("Content-Disposition")).toMatch(/filename="?purge-proofs-\d{4}-\d\d-\d\d\.txt"?$/);
  const { records, waiting } = await verifyProofBundle(reply.body, [logSigner.key]);
  const leaves = records.map(({ extra }) => textOf(extra)).join("");
  expect(leaves).toContain(`\nevent ${first.purge?.id}\n`);
  expect(leaves).toContain(`\nevent ${second.purge?.id}\n`);
  expect(leaves).not.toContain(`\nevent ${late.purge?.id}\n`);
  expect([records.length + waiting, waiting]).toEqual([(await purgesOf()).length, 1]);
  expect(reply.body).not.toContain(first.orderNumber);

  const alone = await auditor.get(`${path}/purge-proofs?id=${second.purge?.id}`);
  expect(textOf((await verifyProofFile(alone.body, [logSigner.key])).extra)).toContain(`${second.purge?.id}`);
  expect((await auditor.get(`${path}/purge-proofs?id=${late.purge?.id}`)).status).toBe(409);
  expect((await auditor.get(`${path}/purge-proofs?id=${randomUUID()}`)).status).toBe(404);
  const contact = await auditor.get(`${path}/purge-proofs?dataClass=contact`);
  expect((await verifyProofBundle(contact.body, [logSigner.key])).records).toEqual([]);
});

test("has to wait while the tree is rebuilt", async () => {
  const { orderNumber, readAfter, purge } = await purgedOrder();
  await signer.signNow();
  await stack.treeFollower.stop();
  await inTransaction(stack.pool, forgetTree);
  await stack.pool.query("insert into transparency_receipts values ($1, 0)", [purge?.id]);
  expect((await proofOf(orderNumber, readAfter)).status).toBe(409);
});
