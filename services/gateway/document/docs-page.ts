import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import compression from "compression";
import { type Response, Router } from "express";
import type { JsonObject } from "../../../infra/json.ts";
import { notFound } from "../errors/problem.ts";

const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const own = join(import.meta.dirname, "docs");

type Kept = { readonly folder: string; readonly type: string; readonly keep: string };

const anew = "no-cache";
/** Half a megabyte that changes with an update of ours alone. */
const aDay = "public, max-age=86400";

const files: Readonly<Record<string, Kept>> = {
  "page.html": { folder: own, type: "text/html", keep: anew },
  "page.css": { folder: own, type: "text/css", keep: anew },
  "page.js": { folder: own, type: "text/javascript", keep: anew },
  "swagger-ui.css": { folder: swagger, type: "text/css", keep: aDay },
  "swagger-ui-bundle.js": { folder: swagger, type: "text/javascript", keep: aDay },
};

/**
 * This page's own policy: narrower than the others', for it needs no payment provider, and with pictures from data: URLs, as which Swagger
 * UI's style sheet brings its arrows. A picture runs nothing.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * `/api/docs`: the API's document as a page, and as `/api/docs/openapi.json`. Anybody may read both: they hold nothing of anybody, and no
 * route is guarded by not being known.
 * @param document made when it is first asked for
 */
export function apiDocs(document: () => JsonObject): Router {
  const router = Router();
  let text: string | undefined;
  router.use(compression());
  router.get("/openapi.json", (_request, response) => {
    text ??= JSON.stringify(document());
    response.set("Cache-Control", "no-cache").type("application/json").send(text);
  });
  router.get("/", (_request, response) => {
    response.set("Content-Security-Policy", policy);
    return send(response, "page.html");
  });
  router.get("/:file", (request, response) => send(response, request.params.file));
  return router;
}

/** @throws Problem 404 for any other name than those of the page */
async function send(response: Response, name: string): Promise<void> {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) throw notFound();
  const bytes = await readFile(join(file.folder, name));
  response.set("Cache-Control", file.keep).type(file.type).send(bytes);
}
