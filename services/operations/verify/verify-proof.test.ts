import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cosign, formatSignature, parseNote } from "../../../infra/transparency/formats/signed-note.ts";
import { formatVerifierKey, signatureTypes } from "../../../infra/transparency/formats/verifier-key.ts";
import { inventedBundle, inventedProof, signerNamed } from "../../../testing/infra/transparency-fixture.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { verifyProof } from "./verify-proof.ts";

const origin = "certificates.example/transparency";
const log = await signerNamed(origin, signatureTypes.log);
const stranger = await signerNamed(origin, signatureTypes.log);
const [key, strangersKey] = [formatVerifierKey(log.key), formatVerifierKey(stranger.key)];

const leaf = `kith-and-copy/event@v1
log log-1
index 5
event 5b2f6c1e-0000-5000-8000-000000000001
type SensitiveDataPurged
time 2026-11-21T09:30:00.000Z
sha256 ${"0f".repeat(32)}
destroyed application signature
rule submitted
probe unreadable
key ${"ab".repeat(32)}
records 2
`;
const proof = await inventedProof(log, leaf, { index: 5, size: 7 });

it("says what was deleted, and what the proof does and does not show", async () => {
  const { holds, words } = await verifyProof(proof, [strangersKey, key]);
  expect(holds).toBe(true);
  for (const said of [
    "When        2026-11-21T09:30:00.000Z",
    "Destroyed   certificate details, event details, GRO reference, signature",
    "Because     the application had been submitted",
    "Key         abab abab",
    "Record      6 of 7 in certificates.example/transparency",
    `Signed by   certificates.example/transparency, key ${log.key.id}\n`,
    "It does not prove:\n- That the data was destroyed.",
    "No witness that you know has signed this checkpoint.",
  ])
    expect(words).toContain(said);
});

it("names the witnesses it is given who signed, with their time", async () => {
  const [one, other] = [
    await signerNamed("one.example", signatureTypes.witness),
    await signerNamed("other.example", signatureTypes.witness),
  ];
  const { text } = parseNote(proof.slice(proof.indexOf("\n\n") + 2));
  const cosigned = proof + formatSignature(await cosign(text, 1_763_717_400, one));
  const keys = [log, one, other].map((each) => formatVerifierKey(each.key));
  const { words } = await verifyProof(cosigned, keys);
  expect(words).toContain("who signed this checkpoint (1): one.example at 2025-11-21T09:30:00.000Z.");
  expect((await verifyProof(cosigned, [key])).words).toContain("No witness that you know");
  expect((await verifyProof(cosigned, keys.slice(1))).holds).toBe(false);
});

/** Changes a character of the line, to another of the same kind. */
const changeIn = (line: number, text: string): string =>
  text
    .split("\n")
    .map((content, at) =>
      at === line ? content.replace(/.(?=.{4}$)/, (old) => (old === "A" ? "B" : "A")) : content,
    )
    .join("\n");

it.each([
  ["a changed leaf", changeIn(1, proof), "does not hold this record"],
  ["another index", proof.replace("index 5", "index 4"), "does not hold this record"],
  ["a changed path", changeIn(3, proof), "does not hold this record"],
  ["another size of the tree", proof.replace("\n7\n", "\n8\n"), "signature of certificates.example"],
  ["another root", changeIn(9, proof), "signature of certificates.example"],
  ["a changed signature", changeIn(11, proof), "signature of certificates.example"],
  ["a line that is missing", proof.replace(/\nindex 5/, ""), "not a proof of this kind"],
  ["an end that is missing", proof.slice(0, -20), "last line is incomplete"],
  ["nothing", "", "not a proof of this kind"],
])("refuses %s", async (_, changed, reason) => {
  expect(changed).not.toBe(proof);
  const { holds, words } = await verifyProof(changed, [key]);
  expect(holds).toBe(false);
  expect(words).toMatch(/^THE PROOF FAILS\. /);
  expect(words).toContain(reason);
});

it("refuses another log's key, no key, and what is not a key", async () => {
  expect(await verifyProof(proof, [strangersKey])).toMatchObject({
    holds: false,
    words: expect.stringContaining("The log did not sign"),
  });
  expect(await verifyProof(proof, [])).toMatchObject({
    holds: false,
    words: expect.stringContaining("certificates.example/transparency, which proves nothing"),
  });
  await expect(verifyProof(proof, ["a key"])).rejects.toThrow("--key: this is not a verifier key: a key");
});

it.each([
  ["without what was destroyed", leaf.replace(/destroyed[\s\S]*/, "")],
  ["of another type", leaf.replace("SensitiveDataPurged", "ReplacedRecordPurged")],
  ["that says it stands elsewhere", leaf.replace("index 5", "index 4")],
])("refuses a record %s", async (_, record) => {
  const other = await inventedProof(log, record, { index: 5, size: 7 });
  expect(await verifyProof(other, [key])).toMatchObject({
    holds: false,
    words: expect.stringContaining("not the record of a deletion"),
  });
});

describe("A list of proofs with one checkpoint", () => {
  const leafOf = (index: number, type = "SensitiveDataPurged") =>
    leaf.replace("index 5", `index ${index}`).replace("SensitiveDataPurged", type);
  const bundleOf = (leaves: ReadonlyMap<number, string>, waiting = 0) =>
    inventedBundle(log, leaves, { size: 300, waiting });
  const leaves = new Map([
    [3, leafOf(3)],
    [200, leafOf(200, "TicketPurged")],
    [299, leafOf(299, "ContactDataPurged")],
  ]);

  it("is verified whole, and each proof also alone", async () => {
    const bundle = await bundleOf(leaves, 2);
    const { holds, words } = await verifyProof(bundle, [key]);
    expect(holds).toBe(true);
    for (const said of [
      "All 3 proofs hold.",
      "2026-11-21T09:30:00.000Z  record 4: certificate details",
      "record 300: ",
      `Checkpoint  300 records in ${origin}, signed by ${origin}, key ${log.key.id}`,
      "- That no other deletion belongs to these.",
      "- 2 more, which the file says were not signed yet.",
      "No witness that you know has signed this checkpoint.",
    ])
      expect(words).toContain(said);
    const [, , second = "", , ...checkpoint] = bundle.split("\n\n");
    const alone = [second, ...checkpoint].join("\n\n");
    expect((await verifyProof(alone, [key])).words).toContain("The proof holds.");
  });

  it("may be empty", async () => {
    expect((await verifyProof(await bundleOf(new Map()), [key])).words).toContain("All 0 proofs hold.");
  });

  it.each([
    ["a changed record", (text: string) => changeIn(5, text), "Proof 1 of 3: the checkpoint's tree does not"],
    ["a proof that is missing", (text: string) => withoutBlock(text, 2), "incomplete|malformed|not a proof"],
    ["a proof that is there twice", (text: string) => twice(text, 2), "not in the order"],
    [
      "another checkpoint's root",
      (text: string) => changeIn(text.split("\n").length - 4, text),
      "signature of",
    ],
    [
      "another number of proofs",
      (text: string) => text.replace("proofs 3", "proofs 2"),
      "no text|malformed|did not",
    ],
    ["no checkpoint", (text: string) => text.split("\n\n").slice(0, 4).join("\n\n"), "incomplete"],
  ])("is refused with %s", async (_, change, reason) => {
    const bundle = await bundleOf(leaves);
    const changed = change(bundle);
    expect(changed).not.toBe(bundle);
    const { holds, words } = await verifyProof(changed, [key]);
    expect([holds, words]).toEqual([false, expect.stringMatching(reason)]);
  });

  it("is refused with another log's key, without a key, and with a record of anything else", async () => {
    const bundle = await bundleOf(leaves);
    expect((await verifyProof(bundle, [strangersKey])).words).toContain("The log did not sign");
    expect((await verifyProof(bundle, [])).words).toContain(`its log is ${origin}`);
    const other = await bundleOf(new Map([[3, leafOf(3, "OrderPlaced")]]));
    expect(await verifyProof(other, [key])).toMatchObject({
      holds: false,
      words: expect.stringContaining("proof 1, but it is not the record of a deletion"),
    });
  });

  const withoutBlock = (text: string, at: number) => text.split("\n\n").toSpliced(at, 1).join("\n\n");
  const twice = (text: string, at: number) => {
    const blocks = text.split("\n\n");
    return blocks.toSpliced(at, 1, blocks[at - 1] ?? "").join("\n\n");
  };
});

it("is a command that ends with 0 for a proof that holds, and with 1 for any other", () => {
  const folder = temporaryFolder("verify");
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], { encoding: "utf8" });
  const good = fileOf("order.tlog-proof", proof);
  const fine = run(good, "--key", key);
  expect([fine.status, fine.stdout]).toEqual([0, expect.stringMatching(/^The proof holds\./)]);
  expect(run(good).status).toBe(1);
  expect(run(good, "--key", strangersKey).status).toBe(1);
  expect(run(fileOf("changed", changeIn(3, proof)), "--key", key).status).toBe(1);
  const missing = run(join(folder, "missing"), "--key", key);
  expect([missing.status, missing.stderr]).toEqual([
    1,
    `${join(folder, "missing")} cannot be used: there is no such file or folder.\n`,
  ]);
  expect(run(folder, "--key", key).stderr).toBe(`${folder} cannot be used: it is a folder.\n`);
});
