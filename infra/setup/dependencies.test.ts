import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";

// Reads package-lock.json, which says of each package what is installed and under which licence.

const root = join(import.meta.dirname, "..", "..");
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

const locked = z.object({
  version: z.string(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  /** Inside its parent's archive, whose hash covers it. */
  inBundle: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
});
type Locked = z.infer<typeof locked>;

const lock = z
  .object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), z.unknown()) })
  .parse(readJson("package-lock.json"));
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== "")
  .map(([path, entry]): [string, Locked] => [path, locked.parse(entry)]);

/** Licences that ask for no more than a notice, or for the sources of the licensed files themselves. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
  "(BSD-3-Clause AND Apache-2.0)",
  "(MIT AND Zlib)",
  "(MIT OR EUPL-1.1+)",
]);

/** Packages that do not name theirs as the rest do; read in the package itself. */
const readByHand = new Map([
  ["node_modules/dejavu-fonts-ttf", "Bitstream Vera"],
  ["node_modules/png-js", "MIT"],
]);

/** What is wrong with where a package comes from. */
function faultOf([path, { integrity, inBundle, resolved }]: [string, Locked]): string | undefined {
  if (!path.startsWith("node_modules/")) return `${path} is outside node_modules`;
  if (inBundle) return undefined;
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "")) return `${path} has no SHA-512`;
  // Without an address npm takes the registry that it is set to, so none can be named here.
  return resolved === undefined ? undefined : `${path} comes from ${resolved}`;
}

const faultOfLicence = ([path, { license }]: [string, Locked]): string | undefined =>
  allowed.has(license ?? "") || readByHand.has(path) ? undefined : `${path}: ${license}`;

describe("Each package in the lockfile", () => {
  test("is pinned by its hash and names no registry", () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.flatMap((each) => faultOf(each) ?? [])).toEqual([]);
  });

  test.each<[string, string, Partial<Locked>]>([
    ["no hash", "node_modules/a", { integrity: undefined }],
    ["a weak hash", "node_modules/a", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }],
    ["an address", "node_modules/a", { resolved: "https://registry.example/a.tgz" }],
    ["a place outside", "../a", {}],
  ])("is refused with %s", (_what, path, change) => {
    const good: Locked = { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` };
    expect(faultOf(["node_modules/a", good])).toBeUndefined();
    expect(faultOf([path, { ...good, ...change }])).toBeTypeOf("string");
  });

  test("is as package.json asks, at an exact version", () => {
    const asked = z
      .object({
        dependencies: z.record(z.string(), z.string()),
        devDependencies: z.record(z.string(), z.string()),
      })
      .parse(readJson("package.json"));
    const versions = new Map(packages.map(([path, { version }]) => [path, version]));
    for (const [name, version] of Object.entries({ ...asked.dependencies, ...asked.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
      expect(versions.get(`node_modules/${name}`), name).toBe(version);
    }
  });
});

describe("The licence of each package that runs in production", () => {
  const ours = packages.filter(([, { dev }]) => dev !== true);

  test("is one that we allow", () => {
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.flatMap((each) => faultOfLicence(each) ?? [])).toEqual([]);
  });

  test.each(["GPL-3.0-only", "AGPL-3.0", "UNLICENSED", undefined])("is refused if it is %s", (license) => {
    expect(faultOfLicence(["node_modules/a", { version: "1.0.0", license }])).toBeTypeOf("string");
  });

  test("is listed in docs/security-asvs.md", () => {
    const page = readFileSync(join(root, "docs", "security-asvs.md"), "utf8");
    const missing = [...allowed, ...readByHand.values()].filter(
      (licence) =>
        !page.includes(licence.replace(/[()]/g, "").replace(" AND ", " and ").replace(" OR ", " or ")),
    );
    expect(missing).toEqual([]);
  });

  test("was read by hand only where the package does not name it", () => {
    const named = ours.filter(([path, { license }]) => readByHand.has(path) && allowed.has(license ?? ""));
    expect(named).toEqual([]);
    for (const path of readByHand.keys()) expect(packages.map(([each]) => each)).toContain(path);
  });
});
