import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderedPages } from "./site.ts";

let folder: string;
let time: string;
let tradingName: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "certificates-rendered-"));
  time = "2026-07-21T12:00:00Z";
  tradingName = "Ash & Oak";
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stand-in for what the web app is built with: counts how often it renders. */
function buildRenderer(): void {
  mkdirSync(join(folder, ".rendering"));
  writeFileSync(
    join(folder, ".rendering", "pages.js"),
    `let count = 0;
    export const paths = ["/", "/terms"];
    export const hasPage = (path) => path !== "/no-such-page";
    export const needsIdentity = (path) => path === "/sign-in";
    export const renderPage = async (path, { template, config, publicUrl }) =>
      [template, publicUrl + path, config.tradingName, ++count].join(" ");`,
  );
}

const pages = () =>
  renderedPages({
    folder,
    publicUrl: "https://certificates.example",
    config: () => ({ tradingName }),
    now: () => new Date(time),
  });

const answeredHtml = (pageAt: ReturnType<typeof pages>) => async (path: string) => (await pageAt(path))?.html;

test("a public page is rendered once, and again after the cut-off, the next day, or in another configuration", async () => {
  buildRenderer();
  const htmlOf = answeredHtml(pages());
  const first = "<!doctype html> https://certificates.example/terms Ash & Oak 1";
  expect(await htmlOf("/terms")).toBe(first);
  expect(await htmlOf("/terms")).toBe(first);
  // Half past midnight in London.
  time = "2026-07-21T23:30:00Z";
  expect(await htmlOf("/terms")).toMatch(/ 2$/);
  // Noon, still before the cut-off, and four o'clock.
  time = "2026-07-22T11:00:00Z";
  expect(await htmlOf("/terms")).toMatch(/ 2$/);
  time = "2026-07-22T15:00:00Z";
  expect(await htmlOf("/terms")).toMatch(/ 3$/);
  tradingName = "Elm";
  expect(await htmlOf("/terms")).toMatch(/ Elm 4$/);
});

test("addresses that are no public page are not cached, so they cannot fill the memory", async () => {
  buildRenderer();
  const htmlOf = answeredHtml(pages());
  expect(await htmlOf("/no-such-page")).toMatch(/ 1$/);
  expect(await htmlOf("/no-such-page")).toMatch(/ 2$/);
});

test("an address without a page is not found, and one that only the script fills in is", async () => {
  buildRenderer();
  const pageAt = pages();
  expect((await pageAt("/no-such-page"))?.status).toBe(404);
  expect((await pageAt("/lookup"))?.status).toBe(200);
  expect((await pageAt("/terms"))?.status).toBe(200);
});

test("a page that asks who is signed in is recognised", async () => {
  buildRenderer();
  const pageAt = pages();
  const asking = ["/sign-in", "/terms", "/lookup", "/no-such-page"].map(
    async (path) => (await pageAt(path))?.needsIdentity,
  );
  expect(await Promise.all(asking)).toEqual([true, false, false, false]);
});

test("an app that was built without rendering is served as it is, and none at all is not served", async () => {
  expect(await pages()("/terms")).toEqual({ status: 200, html: "<!doctype html>", needsIdentity: false });
  rmSync(join(folder, "index.html"));
  expect(await pages()("/terms")).toBeUndefined();
});

test("a renderer that is none is an error, not a page", async () => {
  mkdirSync(join(folder, ".rendering"));
  writeFileSync(join(folder, ".rendering", "pages.js"), "export const paths = 7;");
  await expect(pages()("/")).rejects.toThrow();
});
