import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { inventedTiles, seededBelow, signerNamed } from "../../testing/infra/transparency-fixture.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { base64Of, bytesOf } from "./formats/bytes.ts";
import { formatCheckpoint } from "./formats/checkpoint.ts";
import { formatProofFile, verifyProofFile } from "./formats/proof-file.ts";
import { cosign, formatNote, type NoteSigner, signNote } from "./formats/signed-note.ts";
import { tilePath, widthOf } from "./formats/tiles.ts";
import { formatVerifierKey, signatureTypes } from "./formats/verifier-key.ts";
import { emptyRoot, leafHash } from "./tree-hashes.ts";
import { proveConsistency, proveInclusion, rootAt } from "./tree-proofs.ts";

// Go's own implementation, which its package manager relies on: golang.org/x/mod/sumdb, from Debian's packages.

const source = join(import.meta.dirname, "../../testing/infra/second-tlog/check.go");
let check: string;
let environment: Record<string, string>;

beforeAll(async () => {
  const folder = temporaryFolder("second-tlog");
  check = join(folder, "check");
  environment = {
    PATH: process.env.PATH ?? "",
    GOCACHE: join(folder, "cache"),
    GOPATH: "/usr/share/gocode",
    GO111MODULE: "off",
    GOFLAGS: "-p=1",
  };
  execFileSync("go", ["build", "-o", check, source], { env: environment });
});

const goSays = (claims: object): string[] =>
  execFileSync(check, { input: JSON.stringify(claims), env: environment, maxBuffer: 2 ** 24 })
    .toString()
    .trim()
    .split("\n");

const read = inventedTiles(1_000_000);
const treeOf = async (size: number) => ({ size, root: base64Of(await rootAt(size, read(size))) });
const sizes = [1, 2, 7, 255, 256, 257, 300, 1_000, 65_535, 65_536, 65_537, 70_000];
const below = seededBelow("second implementation");
/** With trees whose tiles are not all compared. */
const provedSizes = [...sizes, 1_000_000, ...Array.from({ length: 20 }, () => 1 + below(1_000_000))];

/** Every tile of trees of a fixed size; of the others those above the leaves that are named. */
async function tilesServed(
  named: readonly { readonly size: number; readonly leaf: number }[],
): Promise<Record<string, string>> {
  const served: Record<string, string> = {};
  const serve = async (size: number, level: number, number: number) => {
    const width = widthOf({ level, number }, size);
    const path = tilePath({ level, number }, width);
    if (width === 0 || path in served) return;
    const [tile = emptyRoot] = await read(size)([{ level, number }]);
    served[path] = base64Of(tile);
  };
  for (const size of sizes)
    for (let level = 0, width = size; width > 0; level += 1, width = Math.floor(width / 256))
      for (let number = 0; number * 256 < width; number += 1) await serve(size, level, number);
  for (const { size, leaf } of named)
    for (const at of [leaf, size - 1])
      for (let level = 0, number = at; level < 3; level += 1) {
        number = Math.floor(number / 256);
        await serve(size, level, number);
      }
  return served;
}

async function inclusions() {
  const claims = [];
  for (const size of provedSizes)
    for (const index of new Set([0, below(size), below(size), size - 1])) {
      const [tree, proof] = [await treeOf(size), await proveInclusion(index, size, read(size))];
      const claim = {
        tree,
        index,
        leaf: base64Of(leafHash(`leaf ${index}`)),
        proof: proof.map(base64Of),
        holds: true,
      };
      claims.push(claim, { ...claim, leaf: base64Of(emptyRoot), holds: false });
      if (proof.length > 0) claims.push({ ...claim, proof: claim.proof.slice(1), holds: false });
    }
  return claims;
}

async function consistencies() {
  const claims = [];
  for (const size of provedSizes.filter((each) => each > 1))
    for (const older of new Set([1, 1 + below(size - 1), size - 1, size])) {
      const proof = (await proveConsistency(older, size, read(size))).map(base64Of);
      const claim = { older: await treeOf(older), newer: await treeOf(size), proof, holds: true };
      const forked = { size: older, root: base64Of(emptyRoot) };
      claims.push(claim, { ...claim, older: forked, holds: false });
    }
  return claims;
}

async function proofFiles(log: NoteSigner, stranger: NoteSigner) {
  const claims = [];
  for (const [index, size] of [
    [0, 1],
    [5, 7],
    [299, 300],
    [40_000, 70_000],
  ] as const) {
    const text = formatCheckpoint({ origin: log.key.name, size, root: await rootAt(size, read(size)) });
    const fileBy = async (signer: NoteSigner, leaf: string) =>
      formatProofFile({
        extra: bytesOf(leaf),
        index,
        hashes: await proveInclusion(index, size, read(size)),
        checkpoint: formatNote({ text, signatures: [await signNote(text, signer)] }),
      });
    const file = await fileBy(log, `leaf ${index}`);
    claims.push(
      { file, holds: true },
      { file: await fileBy(log, `leaf ${index + 1}`), holds: false },
      { file: await fileBy(stranger, `leaf ${index}`), holds: false },
      { file: file.replace(`index ${index}\n`, `index ${size}\n`), holds: false },
      { file: file.replace(`\n${size}\n`, `\n${size + 1}\n`), holds: false },
    );
  }
  for (const { file, holds } of claims)
    expect(await verifyProofFile(file, [log.key]).then(Boolean, () => false)).toBe(holds);
  return claims;
}

it("Go agrees with every proof, tile, path, note and proof file, and refuses what we refuse", async () => {
  const origin = "certificates.example/transparency";
  const log = await signerNamed(origin, signatureTypes.log);
  const stranger = await signerNamed(origin, signatureTypes.log);
  const text = formatCheckpoint({ origin, size: 300, root: await rootAt(300, read(300)) });
  const note = formatNote({ text, signatures: [await signNote(text, stranger), await signNote(text, log)] });
  const witness = await signerNamed("witness.example", signatureTypes.witness);
  const signatures = [await signNote(text, log), await cosign(text, 1_763_717_400, witness)];
  const cosigned = formatNote({ text, signatures });
  const [included, consistent] = [await inclusions(), await consistencies()];
  const named = [
    ...included.map(({ tree: { size }, index }) => ({ size, leaf: index })),
    ...consistent.flatMap(({ older, newer: { size } }) => [
      { size, leaf: older.size - 1 },
      { size, leaf: older.size },
    ]),
  ];
  const claims = {
    verifierKey: formatVerifierKey(log.key),
    witness: formatVerifierKey(witness.key),
    cosigned: [
      { note: cosigned, time: 1_763_717_400, holds: true },
      { note: cosigned, time: 1_763_717_401, holds: false },
      { note: cosigned.replace("\n300\n", "\n301\n"), time: 1_763_717_400, holds: false },
      { note, time: 1_763_717_400, holds: false },
    ],
    notes: [
      { note, holds: true },
      { note: note.replace("\n300\n", "\n301\n"), holds: false },
      { note: formatNote({ text, signatures: [await signNote(text, stranger)] }), holds: false },
    ],
    proofs: await proofFiles(log, stranger),
    leaves: ["", "a", "kith-and-copy/event@v1\n"].map((content) => ({
      content: base64Of(bytesOf(content)),
      hash: base64Of(leafHash(content)),
    })),
    paths: [0, 1, 999, 1_000, 1_234_067].flatMap((number) =>
      [1, 255, 256].map((width) => ({
        level: 2,
        number,
        width,
        path: tilePath({ level: 2, number }, width),
      })),
    ),
    tiles: await tilesServed(named),
    inclusions: included,
    consistencies: consistent,
  };
  const [said, ...more] = goSays(claims);
  expect([said, more]).toEqual([expect.stringMatching(/^\d{3,4} claims checked$/), []]);
});

it("Go names a claim that is wrong (control)", async () => {
  const log = await signerNamed("log.example", signatureTypes.log);
  const said = goSays({
    verifierKey: formatVerifierKey(log.key),
    leaves: [{ content: base64Of(bytesOf("a")), hash: base64Of(leafHash("b")) }],
    paths: [{ level: 0, number: 1, width: 256, path: "tile/0/000" }],
  });
  expect(said).toEqual(["leaf 0", "path tile/0/000: tile/0/001", "3 claims checked"]);
});
