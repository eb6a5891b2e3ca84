import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

// Documents name the tests that show what they claim.

const root = join(import.meta.dirname, "..", "..");
const rooms = ["contract", "domain", "infra", "projections", "proof", "services", "testing", "web"];
const tests = rooms.flatMap((room) => globSync(`${room}/**/*.test.ts`, { cwd: root }));
const names = new Set(tests.flatMap((path) => [path, basename(path)]));

const namedIn = (text: string): string[] =>
  [...text.matchAll(/[\w./-]+\.test\.ts\b/g)].map(([path]) => path.replace(/^(\.\.\/)+/, ""));

const documents = ["README.md", ...globSync("docs/**/*.md", { cwd: root })];

test("Every test that a document names exists", () => {
  const missing = documents.flatMap((document) =>
    namedIn(readFileSync(join(root, document), "utf8"))
      .filter((name) => !names.has(name))
      .map((name) => `${document}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("Each requirement that is met names a test, and each other a reason", () => {
  const page = readFileSync(join(root, "docs", "security-asvs.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| \d+\.\d+\.\d+/.test(line));
  expect(rows.length).toBeGreaterThan(60);
  const bare = rows.filter((row) => namedIn(row).length === 0 && !/not met, because|by document/.test(row));
  expect(bare).toEqual([]);
});

test("A name that no file has is found", () => {
  const [made] = namedIn("shown by `made-up.test.ts`");
  expect(made).toBe("made-up.test.ts");
  expect(names.has("made-up.test.ts")).toBe(false);
});
