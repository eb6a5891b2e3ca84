import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { installationSecrets, openBoundSecrets } from "./installation-secrets.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let folder: string;
beforeEach(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  folder = temporaryFolder("bond");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const keys = (name: string) => join(folder, name);

async function hold(
  directory: string,
  { mirror, givenUp }: { mirror?: string; givenUp?: string } = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const config = { KEY_DIR: directory, KEY_MIRROR_DIR: mirror, ACCEPT_NEW_KEYS: givenUp };
  await openBoundSecrets(config, pool, { warn: (words) => warnings.push(words) });
  return warnings;
}

it("binds a new database to its key folder, and accepts only that one", async () => {
  expect(await hold(keys("first"))).toEqual([]);
  expect(await hold(keys("first"))).toEqual([]);
});

it("refuses an empty key folder, and creates no file in it", async () => {
  await hold(keys("first"));
  await expect(hold(keys("unmounted"))).rejects.toThrow(/unmounted\) holds no keys/);
  expect(existsSync(keys("unmounted"))).toBe(false);
  await hold(keys("first"));
});

it("refuses the key folder of another database", async () => {
  mkdirSync(keys("others"));
  await installationSecrets(keys("others")).secret("key-folder");
  await hold(keys("first"));
  await expect(hold(keys("others"))).rejects.toThrow("is the key folder of another database");
});

it("refuses the mirror of another installation, and writes nothing there", async () => {
  await hold(keys("first"));
  const mirror = temporaryFolder("others");
  await installationSecrets(mirror).secret("key-folder");
  await expect(hold(keys("first"), { mirror })).rejects.toThrow(
    "is another installation's: set KEY_MIRROR_DIR",
  );
  expect(readdirSync(mirror, { recursive: true }).toSorted()).toEqual([
    "installation",
    join("installation", "key-folder.secret"),
  ]);
});

it("warns when a new database meets existing keys", async () => {
  mkdirSync(keys("old"));
  await installationSecrets(keys("old")).secret("key-folder");
  expect(await hold(keys("old"))).toHaveLength(1);
});

it("recognises the folder by its mirror when its disk was replaced", async () => {
  const mirror = temporaryFolder("mirror");
  await hold(keys("first"), { mirror });
  rmSync(keys("first"), { recursive: true });
  expect(await hold(keys("first"), { mirror })).toEqual([
    expect.stringContaining("is empty, and its keys are read from the mirror"),
  ]);
  expect(await hold(keys("first"), { mirror })).toEqual([]);
});

it("fills a new folder and a new mirror with every file, and leaves out what was cut off", async () => {
  const mirror = temporaryFolder("mirror");
  await hold(keys("first"), { mirror });
  const inside = (directory: string, file = "") => join(directory, "installation", file);
  const files = ["audit.pem", "key-folder.secret", "transparency-retired.json"];
  for (const file of files) if (!file.startsWith("key")) writeFileSync(inside(keys("first"), file), file);
  writeFileSync(inside(keys("first"), "ticket-links.secret.1.draft"), "tick");
  await hold(keys("first"), { mirror });
  expect(readdirSync(inside(mirror)).sort()).toEqual(files);
  rmSync(keys("first"), { recursive: true });
  await hold(keys("first"), { mirror });
  expect(readdirSync(inside(keys("first"))).sort()).toEqual(files);
});

it("writes nothing when the mirror is not mounted", async () => {
  await expect(hold(keys("first"), { mirror: keys("unmounted") })).rejects.toThrow("mount its disk");
  expect(existsSync(join(keys("first"), "installation"))).toBe(false);
});

it("does not make a key folder that is gone", async () => {
  await hold(keys("first"));
  rmSync(keys("first"), { recursive: true });
  await expect(installationSecrets(keys("first")).secret("order-access")).rejects.toThrow("ENOENT");
});

it("accepts new keys only with the mark of the lost ones, and only once", async () => {
  await hold(keys("lost"));
  const refusal = String(await hold(keys("new")).catch((error: unknown) => error));
  const givenUp = /ACCEPT_NEW_KEYS=([0-9a-f]{8})/.exec(refusal)?.[1] ?? "";
  await expect(hold(keys("new"), { givenUp: "00000000" })).rejects.toThrow("holds no keys");
  await hold(keys("new"), { givenUp });
  await hold(keys("new"));
  await expect(hold(keys("another"), { givenUp })).rejects.toThrow("holds no keys");
});

it("finds the keys that another first start made just before the database named them", async () => {
  const query = pool.query.bind(pool);
  let isFirst = true;
  const slow: Pick<Pool, "query"> = new Proxy(pool, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name, target);
      return async (...given: Parameters<typeof query>): Promise<unknown> => {
        if (isFirst) {
          isFirst = false;
          await hold(keys("first"));
        }
        return Reflect.apply(query, pool, given);
      };
    },
  });
  const warnings: string[] = [];
  const config = { KEY_DIR: keys("first"), KEY_MIRROR_DIR: undefined, ACCEPT_NEW_KEYS: undefined };
  await openBoundSecrets(config, slow, { warn: (words) => warnings.push(words) });
  expect(warnings).toEqual([]);
});

it("lets concurrent first starts agree on one folder, and refuses the other", async () => {
  const both = await Promise.allSettled([hold(keys("one")), hold(keys("two"))]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
