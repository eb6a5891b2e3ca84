import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

// What documents and comments refer to exists.

const root = join(import.meta.dirname, "..", "..");
const rooms = ["contract", "domain", "infra", "projections", "proof", "services", "testing", "web"];
const tests = rooms.flatMap((room) => globSync(`${room}/**/*.test.ts`, { cwd: root }));
const names = new Set(tests.flatMap((path) => [path, basename(path)]));

const namedIn = (text: string): string[] =>
  [...text.matchAll(/[\w./-]+\.test\.ts\b/g)].map(([path]) => path.replace(/^(\.\.\/)+/, ""));

const commentsIn = (source: string): string =>
  [...source.matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)].map(([line]) => line).join("\n");

const documents = ["README.md", ...globSync("docs/**/*.md", { cwd: root })];
const everyPage = [
  ...globSync("*.md", { cwd: root }),
  ...["docs", ...rooms].flatMap((room) => globSync(`${room}/**/*.md`, { cwd: root })),
];

/** As they are anchored on a forge: in small letters, without punctuation. */
const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));

/** Whether a page's link leads to a file, and to a heading where it names one. */
function leads(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || anchorsIn(readFileSync(join(root, file), "utf8")).includes(anchor);
}

test("Every test that a document names exists", () => {
  const missing = documents.flatMap((document) =>
    namedIn(readFileSync(join(root, document), "utf8"))
      .filter((name) => !names.has(name))
      .map((name) => `${document}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("Every test that a comment names exists", () => {
  const sources = rooms.flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }));
  const missing = sources.flatMap((source) =>
    namedIn(commentsIn(readFileSync(join(root, source), "utf8")))
      .filter((name) => !names.has(name))
      .map((name) => `${source}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("Every link leads to a file and a heading", () => {
  const broken = everyPage.flatMap((page) =>
    linksIn(readFileSync(join(root, page), "utf8"))
      .filter((link) => !leads(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
  expect(everyPage.length).toBeGreaterThan(60);
});

test("A link to a file or heading that does not exist is found", () => {
  const links = linksIn("[one](docs/made-up.md), [two](README.md#made-up), [three](README.md#figures)");
  expect(links.map((link) => leads("README.md", link))).toEqual([false, false, true]);
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
