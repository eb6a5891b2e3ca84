import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import express from "express";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { site } from "./site.ts";

let folder: string;
let server: Server;
let url: string;
beforeEach(async () => {
  folder = temporaryFolder("site");
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "assets", "app-abc123.js"), "export const from = 'file';");
  writeFileSync(
    join(folder, "assets", "app-abc123.js.br"),
    brotliCompressSync("export const from = 'copy';"),
  );
  writeFileSync(join(folder, "assets", "page-abc123.js"), "export {};");
  const app = express();
  app.use(site({ folder, publicUrl: "https://site.example", config: () => ({}), now: () => new Date() }));
  server = createServer(app);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${portOf(server.address())}`;
});
afterEach(() => {
  server.close();
});

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

async function get(name: string, encodings: string) {
  const answer = await fetch(`${url}/assets/${name}`, { headers: { "Accept-Encoding": encodings } });
  const headers = ["Content-Encoding", "Content-Type", "Cache-Control", "Vary"].map((header) =>
    answer.headers.get(header),
  );
  return [answer.status, ...headers, await answer.text()];
}

const forEver = "public, max-age=31536000, immutable";
const script = "text/javascript; charset=utf-8";

test("a browser that takes brotli gets the copy that the build compressed", async () => {
  const copy = [200, "br", script, forEver, "Accept-Encoding", "export const from = 'copy';"];
  expect(await get("app-abc123.js", "gzip, deflate, br, zstd")).toEqual(copy);
});

test("any other gets the file, and a file without a copy is served as it is", async () => {
  const file = [200, null, script, forEver, "Accept-Encoding", "export const from = 'file';"];
  expect(await get("app-abc123.js", "identity")).toEqual(file);
  expect(await get("app-abc123.js", "identity, br;q=0")).toEqual(file);
  expect((await get("page-abc123.js", "br")).at(-1)).toBe("export {};");
});

test("a copy of a missing file, or of one outside, is not looked for", async () => {
  expect((await get("gone-abc123.js", "br"))[0]).toBe(404);
  expect((await get("..%2findex.js", "br"))[0]).toBe(404);
});

test("a page has one address: a slash at its end leads there, with the query, and to no other site", async () => {
  const open = (path: string) => fetch(`${url}${path}`, { redirect: "manual" });
  for (const [path, address] of [
    ["/pricing/", "/pricing"],
    ["/support/view/?ticket=TKT-1", "/support/view?ticket=TKT-1"],
  ] as const) {
    const answer = await open(path);
    expect([answer.status, answer.headers.get("Location")]).toEqual([308, address]);
  }
  for (const path of ["//other.example/", "/%2F/other.example/", "/\\other.example/"]) {
    expect((await open(path)).status, path).toBe(404);
  }
});
