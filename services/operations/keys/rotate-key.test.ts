import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { agreedFiles } from "../../../infra/key-ring/durable-files.ts";
import { installationSecrets } from "../../../infra/key-ring/installation-secrets.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import { retiredKeys } from "../../../infra/transparency/log-keys.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { rotateKey, signingKeyDays } from "./rotate-key.ts";

let keyDir: string;
let mirrorDir: string;
beforeEach(async () => {
  [keyDir, mirrorDir] = [temporaryFolder("keys"), temporaryFolder("mirror")];
  const secrets = installationSecrets(keyDir, mirrorDir);
  for (const name of ["order-access", "ticket-links", "id-namespace"]) await secrets.secret(name);
  await secrets.rsaKeyPair("audit");
});

const start = new Date("2026-11-21T10:00:00.000Z");
const rotate = (name: string, { revoke = false, now = start } = {}) =>
  rotateKey({ keyDir, mirrorDir, name, revoke, now });
const filesOf = (name: string) =>
  [keyDir, mirrorDir].map((folder) =>
    readdirSync(join(folder, "installation")).filter((file) => file.startsWith(name)),
  );

it("adds a key in both folders, and reports when it takes over and when the old one expires", async () => {
  expect(await rotate("order-access")).toBe(
    "order-access: a new key was created. Every process signs with it from 2026-11-21T10:01:00.000Z; signatures of the previous key are valid until 2027-05-20T10:00:00.000Z.",
  );
  const both = ["order-access.20261121t100000000z.secret", "order-access.secret"];
  expect(filesOf("order-access")).toEqual([both, both]);
});

it("removes expired keys", async () => {
  await rotate("order-access");
  const said = await rotate("order-access", { now: new Date("2027-05-20T10:00:00.000Z") });
  expect(said).toContain("Expired keys erased: 1.");
  expect(filesOf("order-access")[0]).toHaveLength(2);
});

it("erases every earlier key with --revoke", async () => {
  await rotate("ticket-links");
  expect(await rotate("ticket-links", { revoke: true, now: new Date("2026-11-21T11:00:00.000Z") })).toContain(
    "all earlier ones were erased: 2.",
  );
  const young = ["ticket-links.20261121t110000000z.secret"];
  expect(filesOf("ticket-links")).toEqual([young, young]);
});

it("revokes nothing while the mirror is unavailable, because the keys would come back from there", async () => {
  rmSync(mirrorDir, { recursive: true });
  await expect(rotate("order-access", { revoke: true })).rejects.toThrow(MirrorUnreachable);
  expect(readdirSync(join(keyDir, "installation"))).toContain("order-access.secret");
});

it("replaces the audit key, and cannot revoke it", async () => {
  expect(await rotate("audit")).toContain("signed by the previous one");
  expect(filesOf("audit")[1]).toEqual(["audit.20261121t100000000z.pem", "audit.pem"]);
  await expect(rotate("audit", { revoke: true })).rejects.toThrow("what it signed remains valid");
});

it("lets the transparency log's key sign for another month, unless it is revoked", async () => {
  expect(await rotate("transparency")).toContain(
    "with the previous key as well until 2026-12-21T10:00:00.000Z",
  );
  expect(filesOf("transparency")[1]).toEqual(["transparency.20261121t100000000z.pem", "transparency.pem"]);
  await rotate("transparency", { now: new Date("2026-12-21T10:00:00.000Z") });
  const both = ["transparency.20261121t100000000z.pem", "transparency.20261221t100000000z.pem"];
  const records = () => filesOf("transparency-")[0]?.map((name) => name.replace(/[0-9a-f]{32}/, "key"));
  expect(filesOf("transparency.")).toEqual([both, both]);
  expect(records()).toEqual(["transparency-retired.key.json"]);
  const said = await rotate("transparency", { revoke: true, now: new Date("2026-12-22T10:00:00.000Z") });
  expect(said).toContain("with it alone");
  expect(filesOf("transparency.")[0]).toEqual(["transparency.20261222t100000000z.pem"]);
  const former = await retiredKeys(
    agreedFiles(keyDir, mirrorDir),
    "certificates.example/transparency",
    new Date("2026-12-22T10:00:00.000Z"),
  );
  expect(former.map(({ isRevoked, since }) => [isRevoked, since.toISOString()])).toEqual([
    [true, "2026-12-22T10:00:00.000Z"],
    [true, "2026-12-22T10:00:00.000Z"],
    [false, "2026-12-21T10:00:00.000Z"],
  ]);
});

it.each([
  ["id-namespace", "can never change"],
  ["request-counts", "counting starts afresh"],
  ["nothing", "These can be rotated: order-access, ticket-links, return-addresses, audit, transparency."],
])("reports why %s is not rotated", async (name, words) => {
  const before = filesOf("");
  await expect(rotate(name)).rejects.toThrow(words);
  expect(filesOf("")).toEqual(before);
});

it("names in --help every key that can be rotated", () => {
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), "--help"], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  for (const name of [...Object.keys(signingKeyDays), "audit", "transparency"])
    expect(stdout).toContain(name);
});

it("creates no keys in an empty folder", async () => {
  const empty = temporaryFolder("empty");
  const rotation = { keyDir: empty, mirrorDir: undefined, name: "audit", revoke: false, now: start };
  await expect(rotateKey(rotation)).rejects.toThrow("holds no keys");
  expect(readdirSync(empty)).toEqual([]);
});
