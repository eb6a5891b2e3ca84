import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { installationSecrets } from "./installation-secrets.ts";

const folder = () => temporaryFolder("secrets");

it("creates a secret once per name", async () => {
  const directory = folder();
  const first = await installationSecrets(directory).secret("order-access");
  expect(first.length).toBe(32);
  expect(await installationSecrets(directory).secret("order-access")).toEqual(first);
  expect(await installationSecrets(directory).secret("id-namespace")).not.toEqual(first);
  expect(await installationSecrets(folder()).secret("order-access")).not.toEqual(first);
});

it("lets concurrent starts agree, and leaves no drafts behind", async () => {
  const directory = folder();
  const mirror = folder();
  const all = await Promise.all(
    Array.from({ length: 20 }, () => installationSecrets(directory, mirror).secret("order-access")),
  );
  expect(new Set(all.map((secret) => secret.toString("hex"))).size).toBe(1);
  expect(readdirSync(join(directory, "installation"))).toEqual(["order-access.secret"]);
  expect(readFileSync(join(mirror, "installation", "order-access.secret"))).toEqual(all[0]);
});

it("creates a key pair that signs and verifies", async () => {
  const directory = folder();
  const pairs = await Promise.all(
    [1, 2].map(() => installationSecrets(directory).rsaKeyPair("sandbox-identity")),
  );
  expect(pairs[0]).toEqual(pairs[1]);
  const { privateKeyPem, publicKeyPem } = await installationSecrets(directory).rsaKeyPair("sandbox-identity");
  const signature = sign("sha256", Buffer.from("token"), createPrivateKey(privateKeyPem));
  expect(verify("sha256", Buffer.from("token"), createPublicKey(publicKeyPem), signature)).toBe(true);
});

it("gives access to the owner alone", async () => {
  const directory = folder();
  await installationSecrets(directory).secret("order-access");
  expect(statSync(join(directory, "installation")).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "installation", "order-access.secret")).mode & 0o777).toBe(0o600);
});

it("restores a lost secret from the mirror", async () => {
  const [directory, mirror] = [folder(), folder()];
  const first = await installationSecrets(directory, mirror).secret("order-access");
  rmSync(join(directory, "installation"), { recursive: true });
  expect(await installationSecrets(directory, mirror).secret("order-access")).toEqual(first);
  expect(await installationSecrets(directory).secret("order-access")).toEqual(first);
});

it("refuses another installation's mirror, and a missing one", async () => {
  const [directory, mirror] = [folder(), folder()];
  await installationSecrets(mirror).secret("order-access");
  await installationSecrets(directory).secret("order-access");
  await expect(installationSecrets(directory, mirror).secret("order-access")).rejects.toThrow(
    "another installation's",
  );
  const nowhere = join(folder(), "not-mounted");
  await expect(installationSecrets(directory, nowhere).secret("order-access")).rejects.toThrow(
    "does not exist",
  );
});

it("never uses a name as a path", async () => {
  await expect(installationSecrets(folder()).secret("../order-access")).rejects.toThrow("kebab-case");
});
