import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { disksReady } from "./readiness.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("disks");
});

const mebibyte = 1_048_576;
const embedded = () => ({
  DATABASE_URL: undefined,
  DATA_DIR: folder,
  KEY_DIR: folder,
  KEY_MIRROR_DIR: undefined,
});

it("reports nothing while there is room", async () => {
  expect(await disksReady(embedded()).check()).toBeUndefined();
});

it.each([
  [0.9, "the disk of DATA_DIR is full, the disk of KEY_DIR is full"],
  [31, "the disk of DATA_DIR is full"],
  [32, undefined],
])("with %s MB left", async (left, said) => {
  expect(await disksReady(embedded(), async () => left * mebibyte).check()).toBe(said);
});

it("ignores the disk of an external server", async () => {
  const config = { ...embedded(), DATABASE_URL: "postgres://elsewhere/orders" };
  expect(await disksReady(config, async () => 10 * mebibyte).check()).toBeUndefined();
});

it("reports a mirror disk that is not mounted", async () => {
  const config = { ...embedded(), KEY_MIRROR_DIR: join(folder, "not-mounted") };
  expect(await disksReady(config).check()).toBe("KEY_MIRROR_DIR does not exist");
});
