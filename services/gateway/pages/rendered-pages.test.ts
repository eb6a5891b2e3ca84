import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import express, { type ErrorRequestHandler } from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { Problem } from "../errors/problem.ts";
import { type Listening, listen, usualPatience } from "../listen.ts";
import { site } from "./site.ts";

let folder: string;
let time: string;
let tradingName: string;
let listening: Listening;
beforeEach(async () => {
  folder = temporaryFolder("rendered");
  time = "2026-07-21T12:00:00Z";
  tradingName = "Ash & Oak";
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  const app = express();
  app.use(
    site({
      folder,
      publicUrl: "https://certificates.example",
      config: () => ({ tradingName }),
      now: () => new Date(time),
      letProviderIn: (_request, _response, html) => `${html} with the provider`,
    }),
  );
  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error instanceof Problem ? error.status : 500).end();
  };
  app.use(failed);
  listening = await listen(app, "127.0.0.1", 0, usualPatience);
});
afterEach(async () => {
  await listening.close();
});

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

/** A page as a browser gets it. */
const get = (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${listening.port}${path}`, { headers: { Accept: "text/html" } });
const htmlOf = async (path: string): Promise<string> => (await get(path)).text();

test("a public page is rendered once, and again after the cut-off, the next day, or in another configuration", async () => {
  buildRenderer();
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
  expect(await htmlOf("/no-such-page")).toMatch(/ 1$/);
  expect(await htmlOf("/no-such-page")).toMatch(/ 2$/);
});

test("an address without a page is not found, and one that only the script fills in is", async () => {
  buildRenderer();
  expect((await get("/no-such-page")).status).toBe(404);
  expect((await get("/lookup")).status).toBe(200);
  expect((await get("/terms")).status).toBe(200);
});

test("a page that asks who is signed in is recognised", async () => {
  buildRenderer();
  const asking = ["/sign-in", "/terms", "/lookup", "/no-such-page"].map(async (path) =>
    (await htmlOf(path)).endsWith(" with the provider"),
  );
  expect(await Promise.all(asking)).toEqual([true, false, false, false]);
});

test("an app that was built without rendering is served as it is, and none at all is not served", async () => {
  const answer = await get("/terms");
  expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html>"]);
  rmSync(join(folder, "index.html"));
  expect((await get("/terms")).status).toBe(404);
});

test("a renderer that is none is an error, not a page", async () => {
  mkdirSync(join(folder, ".rendering"));
  writeFileSync(join(folder, ".rendering", "pages.js"), "export const paths = 7;");
  expect((await get("/")).status).toBe(500);
});
