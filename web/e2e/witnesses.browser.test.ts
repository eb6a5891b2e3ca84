import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { agreedFiles } from "../../infra/key-ring/durable-files.ts";
import { freePort } from "../../infra/process/free-port.ts";
import { openCheckpoint } from "../../infra/transparency/formats/checkpoint.ts";
import type { NoteSigner } from "../../infra/transparency/formats/signed-note.ts";
import {
  formatVerifierKey,
  parseVerifierKey,
  signatureTypes,
  type VerifierKey,
} from "../../infra/transparency/formats/verifier-key.ts";
import { formatWitnessRequest } from "../../infra/transparency/formats/witness-request.ts";
import { logKeyFiles, logSigners, originOf } from "../../infra/transparency/log-keys.ts";
import { proveConsistency } from "../../infra/transparency/tree-proofs.ts";
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  openBrowser,
} from "../../testing/browser/browser.ts";
import { placeOrder } from "../../testing/browser/orders-by-api.ts";
import { type Product, startProduct } from "../../testing/browser/product.ts";
import { inventedLeaves, signerNamed, tilesOf } from "../../testing/infra/transparency-fixture.ts";
import { checkpointAt } from "../../testing/infra/witness-fixture.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";

// The product and our witness, each a process as operators run them. A second witness has no process: it is away.

type RunningWitness = {
  readonly key: VerifierKey;
  readonly address: string;
  /** Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
};

const folder = temporaryFolder("witness");
let product: Product;
let browser: Browser;
let log: NoteSigner;
let witness: RunningWitness;
let port: number;
/** Of the witness that runs, and of the one that is away. */
const keys: VerifierKey[] = [];

beforeAll(async () => {
  port = await freePort();
  browser = await openBrowser();
  product = await startProduct({}, async (settings) => {
    mkdirSync(settings.KEY_DIR ?? "", { recursive: true });
    const files = logKeyFiles(agreedFiles(settings.KEY_DIR ?? ""));
    await files.open();
    const [signer] = await logSigners(files, originOf(`http://localhost:${settings.PORT}`), new Date());
    if (!signer) throw new Error("The log has no key.");
    log = signer;
    witness = await startWitness();
    const { key: away } = await signerNamed("away.example", signatureTypes.witness);
    keys.push(witness.key, away);
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    settings.WITNESSES = `${formatVerifierKey(witness.key)} ${witness.address}, ${formatVerifierKey(away)} ${nowhere}`;
    settings.WITNESS_QUORUM = "2";
  });
  await placeOrder(product.url);
});
afterAll(async () => {
  await browser?.close();
  await witness?.end("SIGTERM");
  expect(await product?.dispose()).toBe(0);
});

/** `npm run witness`, on the same folder and port each time. */
async function startWitness(): Promise<RunningWitness> {
  const main = join(import.meta.dirname, "..", "..", "services", "operations", "witness", "main.ts");
  const child = spawn(
    process.execPath,
    [
      ...[main, "--folder", folder, "--name", "witness.example", "--port", String(port)],
      ...["--log", formatVerifierKey(log.key)],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) if (lines.push(line) === 2) break;
  const [address = "", key = ""] = lines.map((line) => line.split(" ").at(-1));
  const parsed = await parseVerifierKey(key);
  if (!parsed) throw new Error(`The witness printed no key: ${lines.join("\n")}`);
  return {
    ...{ key: parsed, address },
    end: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

async function published() {
  const answer = await fetch(`${product.url}/transparency/checkpoint`);
  expect(answer.status).toBe(200);
  const { checkpoint, witnesses } = await openCheckpoint(await answer.text(), [log.key], keys);
  return { size: checkpoint.size, signedBy: witnesses.map(({ key }) => key.name) };
}

const soon = { timeout: patienceMs };

it("shows the signature of the witness at the published checkpoint, without the one that is away", async () => {
  await vi.waitFor(async () => {
    expect((await published()).signedBy).toEqual(["witness.example"]);
  }, soon);
});

it.each([320, 768, 1280])("says on the page who has signed and how many should, at %i px", async (width) => {
  const { page, context, faults } = await newVisitor(browser, product.url, width);
  // A newer checkpoint is without its signature for a moment.
  await vi.waitFor(async () => {
    await page.goto("/transparency");
    await page.getByText("away.example has not signed it yet").waitFor();
    expect(await page.getByText(/^witness\.example signed it on \d+ /).count()).toBe(1);
  }, soon);
  await page.getByText("We ask for 2 signatures or more; this checkpoint has 1 so far.").waitFor();
  for (const key of keys) await page.getByText(formatVerifierKey(key), { exact: true }).waitFor();
  await expectAccessible(page, "witnesses");
  await expectNoSidewaysScroll(page, "witnesses");
  expect(faults).toEqual([]);
  await context.close();
});

it("refuses a forked tree, although the log's own key signed it", async () => {
  const { size } = await published();
  const forked = tilesOf(inventedLeaves(size + 1_000));
  const ask = async (old: number, grown: number) => {
    const body = formatWitnessRequest({
      old,
      proof: await proveConsistency(old, grown, forked(grown)),
      checkpoint: await checkpointAt(log, grown, forked),
    });
    const answer = await fetch(`${witness.address}/add-checkpoint`, { method: "POST", body });
    return { status: answer.status, text: await answer.text() };
  };
  for (const grown of [size, size + 1_000]) {
    const { status, text } = await ask(size, grown);
    // 409 when it knows another tree of this size, or a newer one by now; 422 when the proof does not hold.
    expect([409, 422]).toContain(status);
    expect(text).not.toContain("— ");
  }
});

it("publishes checkpoints while no witness answers, and has them signed once one is back", async () => {
  await witness.end("SIGKILL");
  const { size } = await published();
  await placeOrder(product.url);
  await vi.waitFor(async () => {
    const newer = await published();
    expect(newer.size).toBeGreaterThan(size);
    expect(newer.signedBy).toEqual([]);
  }, soon);
  witness = await startWitness();
  await vi.waitFor(async () => expect((await published()).signedBy).toEqual(["witness.example"]), soon);
});
