import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { agreedFiles } from "./durable-files.ts";
import { installationSecrets } from "./installation-secrets.ts";
import { openSigningKeys, signingKeyFiles } from "./signing-keys.ts";

let primary: string;
let mirror: string;
let now: Date;
const opened: Disposable[] = [];
beforeEach(() => {
  [primary, mirror] = [temporaryFolder("keys"), temporaryFolder("mirror")];
  now = new Date("2026-11-21T10:00:00.000Z");
});
afterEach(() => {
  vi.useRealTimers();
  for (const keys of opened.splice(0)) keys[Symbol.dispose]();
});

const name = "order-access";
const countDays = 180;
const files = () => agreedFiles(primary, mirror);
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

async function open() {
  const keys = await openSigningKeys({
    files: files(),
    name,
    countDays,
    now: () => now,
    onTrouble: (error) => expect.unreachable(String(error)),
  });
  opened.push(keys);
  return {
    current: () => keys.current().export(),
    accepted: () => keys.accepted().map((key) => key.export()),
  };
}

it("starts with the installation's existing secret", async () => {
  const secret = await installationSecrets(primary, mirror).secret(name);
  const keys = await open();
  expect(keys.current()).toEqual(secret);
  expect(keys.accepted()).toEqual([secret]);
});

it("accepts a new key at once and signs with it a minute later, when every process knows it", async () => {
  const first = (await open()).current();
  const { bytes } = await signingKeyFiles(files(), name).begin(now);
  const keys = await open();
  expect(keys.current()).toEqual(first);
  expect(keys.accepted()).toEqual([bytes, first]);
  pass(60);
  expect(keys.current()).toEqual(bytes);
  expect(keys.accepted()).toEqual([bytes, first]);
});

it("accepts signatures of the old key only for their lifetime", async () => {
  const first = (await open()).current();
  const { bytes } = await signingKeyFiles(files(), name).begin(now);
  const keys = await open();
  pass(countDays * 86_400 - 1);
  expect(keys.accepted()).toEqual([bytes, first]);
  pass(1);
  expect(keys.accepted()).toEqual([bytes]);
});

it("notices a rotation without a restart", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const keys = await open();
  const { bytes } = await signingKeyFiles(files(), name).begin(now);
  expect(keys.accepted()).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await expect.poll(() => keys.accepted()[0]).toEqual(bytes);
});

it("keeps its keys while the folder is unreachable", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const keys = await open();
  const known = keys.current();
  for (const folder of [primary, mirror]) rmSync(join(folder, "installation"), { recursive: true });
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  const { bytes } = await signingKeyFiles(files(), name).begin(now);
  expect(keys.accepted()).toEqual([known]);
  expect(bytes).not.toEqual(known);
});

it("signs with the new key at once when the old one was erased", async () => {
  await open();
  const generations = signingKeyFiles(files(), name);
  const [old] = await generations.read();
  const { bytes } = await generations.begin(now);
  if (!old) throw new Error("There was a key before.");
  await generations.destroy(old);
  const keys = await open();
  expect(keys.current()).toEqual(bytes);
  expect(keys.accepted()).toEqual([bytes]);
  for (const folder of [primary, mirror]) expect(readdirSync(join(folder, "installation"))).toHaveLength(1);
});

it("never uses zeros as a key: an interrupted erasure leaves them, and anyone could sign with them", async () => {
  const [first] = await signingKeyFiles(files(), name).open();
  const { bytes } = await signingKeyFiles(files(), name).begin(now);
  if (!first) throw new Error("There was a key before.");
  for (const folder of [primary, mirror])
    writeFileSync(join(folder, "installation", first.file), Buffer.alloc(first.bytes.length));
  const keys = await open();
  expect(keys.accepted()).toEqual([bytes]);
  expect(keys.current()).toEqual(bytes);
  expect((await signingKeyFiles(files(), name).read()).map((known) => known.bytes)).toEqual([bytes]);
});

it("finishes an erasure that was killed in the mirror, instead of copying the key back", async () => {
  const generations = signingKeyFiles(files(), name);
  const [first] = await generations.open();
  const { bytes } = await generations.begin(now);
  if (!first) throw new Error("There was a key before.");
  writeFileSync(join(mirror, "installation", first.file), Buffer.alloc(first.bytes.length));
  expect((await open()).accepted()).toEqual([bytes]);
  for (const folder of [primary, mirror]) expect(readdirSync(join(folder, "installation"))).toHaveLength(1);
});

it("copies every generation to an empty mirror, and restores them from it", async () => {
  const generations = signingKeyFiles(agreedFiles(primary), name);
  const [first] = await generations.open();
  const second = await generations.begin(now);
  await open();
  const copies = readdirSync(join(mirror, "installation")).map((file) =>
    readFileSync(join(mirror, "installation", file)),
  );
  expect(copies).toEqual(expect.arrayContaining([first?.bytes, second.bytes]));
  rmSync(join(primary, "installation"), { recursive: true });
  expect((await open()).accepted()).toEqual([second.bytes, first?.bytes]);
});
