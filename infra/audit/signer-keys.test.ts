import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { agreedFiles } from "../key-ring/durable-files.ts";
import { installationSecrets } from "../key-ring/installation-secrets.ts";
import { isSignedBy, type SignerKeys, signerKeys } from "./signer-keys.ts";

let folders: string[];
beforeEach(() => {
  folders = [temporaryFolder("keys"), temporaryFolder("mirror")];
});

const open = (): SignerKeys => signerKeys(agreedFiles(folders[0] ?? "", folders[1]));
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute));
const installed = (folder: string) =>
  readdirSync(join(folder, "installation")).map((file) => join(folder, "installation", file));

it("starts with the installation's existing key", async () => {
  const { publicKeyPem } = await installationSecrets(folders[0] ?? "", folders[1]).rsaKeyPair("audit");
  expect((await open().current()).publicKeyPem).toBe(publicKeyPem);
});

it("erases the old private key in both folders and keeps them identical", async () => {
  const { privateKeyPem } = await installationSecrets(folders[0] ?? "", folders[1]).rsaKeyPair("audit");
  const secret = privateKeyPem.split("\n")[5] ?? "nothing";
  const holding = () =>
    folders.flatMap(installed).filter((file) => readFileSync(file, "utf8").includes(secret));
  expect(holding()).toHaveLength(2);
  await open().succeed(at(2));
  expect(holding()).toEqual([]);
  const [here, there] = folders.map((folder) => installed(folder).map((file) => readFileSync(file, "utf8")));
  expect(here).toEqual(there);
  expect((await open().read()).map(({ signer }) => signer !== undefined)).toEqual([false, true]);
});

it("refuses a key that its predecessor did not sign", async () => {
  await open().succeed(at(2));
  const [first, second] = await open().read();
  const file = installed(folders[0] ?? "").find((path) => !path.endsWith("audit.pem")) ?? "";
  expect(
    isSignedBy(first?.publicKeyPem ?? "", Buffer.from(second?.publicKeyPem ?? ""), endorsementIn(file)),
  ).toBe(true);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(/predecessor: \S{20}/, `predecessor: ${"A".repeat(20)}`),
  );
  await expect(open().read()).rejects.toThrow("was not signed by its predecessor");
});

const endorsementIn = (file: string) => /predecessor: (\S+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
