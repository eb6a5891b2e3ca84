import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { openCheckpoint } from "../../../infra/transparency/formats/checkpoint.ts";
import {
  formatVerifierKey,
  parseVerifierKey,
  signatureTypes,
} from "../../../infra/transparency/formats/verifier-key.ts";
import { formatWitnessRequest } from "../../../infra/transparency/formats/witness-request.ts";
import { inventedLeaves, signerNamed, tilesOf } from "../../../testing/infra/transparency-fixture.ts";
import { checkpointAt } from "../../../testing/infra/witness-fixture.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";

const log = await signerNamed("certificates.example/transparency", signatureTypes.log);
const vkey = formatVerifierKey(log.key);
const main = join(import.meta.dirname, "main.ts");
const folder = () => temporaryFolder("witness-command");

it("is a command that prints its address and key, signs, and ends when told to", async () => {
  const options = ["--folder", folder(), "--name", "witness.example", "--log", vkey, "--port", "0"];
  const running = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface(running.stdout)) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  expect(lines[0]).toMatch(/^Witness of certificates\.example\/transparency at http:\/\/127\.0\.0\.1:\d+$/);
  const [address, key] = lines.map((line) => line.split(" ").at(-1) ?? "");
  const checkpoint = await checkpointAt(log, 7, tilesOf(inventedLeaves(7)));
  const body = formatWitnessRequest({ old: 0, proof: [], checkpoint });
  const answer = await fetch(`${address}/add-checkpoint`, { method: "POST", body });
  const witness = await parseVerifierKey(key ?? "");
  expect(witness).toBeDefined();
  const opened = await openCheckpoint(
    checkpoint + (await answer.text()),
    [log.key],
    [witness].flatMap((each) => each ?? []),
  );
  expect(opened.witnesses.map((each) => each.key.name)).toEqual(["witness.example"]);
  running.kill("SIGTERM");
  expect((await once(running, "exit"))[0]).toBe(0);
});

it.each([
  [[], "Give a folder and a name"],
  [["--folder", "x", "--name", "w"], "at least one log"],
  [["--folder", "x", "--name", "a b", "--log", vkey], "no spaces and no plus"],
  [["--folder", "x", "--name", "w", "--log", "key"], "not the verifier key of a log: key"],
])("refuses %j and says why", (options, words) => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...options], { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
});

it("says that its port is taken", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = String(typeof address === "object" ? address?.port : "");
  const options = ["--folder", folder(), "--name", "witness.example", "--log", vkey, "--port", port];
  const { status, stderr } = spawnSync(process.execPath, [main, ...options], { encoding: "utf8" });
  server.close();
  expect([status, stderr]).toEqual([
    1,
    `127.0.0.1:${port} cannot be listened on: give another --host or --port.\n`,
  ]);
});
