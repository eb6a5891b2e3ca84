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
/** For half a megabyte of assets that change only when we update them. */
const aDay = "public, max-age=86400";

const files: Readonly<Record<string, Kept>> = {
  "page.html": { folder: own, type: "text/html", keep: anew },
  "page.css": { folder: own, type: "text/css", keep: anew },
  "page.js": { folder: own, type: "text/javascript", keep: anew },
  "swagger-ui.css": { folder: swagger, type: "text/css", keep: aDay },
  "swagger-ui-bundle.js": { folder: swagger, type: "text/javascript", keep: aDay },
};

/**
 * Narrower than the other pages' policy, as this page needs no payment provider. Images from data: URLs are allowed for
 * the arrows in Swagger UI's style sheet.
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
 * `/api/docs`: the API document as a page, and as `/api/docs/openapi.json`. Both are public: they hold no personal
 * data, and no route relies on being secret.
 * @param document called on the first request
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

/** @throws Problem 404 for a name that is not one of the page's files */
async function send(response: Response, name: string): Promise<void> {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) throw notFound();
  const bytes = await readFile(join(file.folder, name));
  response.set("Cache-Control", file.keep).type(file.type).send(bytes);
}
