import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import compression from "compression";
import { type Request, type RequestHandler, Router, static as serveStatic } from "express";
import { notFound } from "../errors/problem.ts";
import type { LetProviderIn } from "./identity-pages.ts";
import { type PageParts, type PageRenderer, renderedPages, rendererOf } from "./rendered-pages.ts";

const year = 31_536_000;

type SiteParts = PageParts & {
  /** Only with a hosted identity provider. */
  readonly letProviderIn?: LetProviderIn | undefined;
};

/**
 * The built web app: hashed assets are cached for ever, everything else is revalidated, and every other address gets a
 * page. Without a built app it answers 404.
 */
export function site(parts: SiteParts): Router {
  const { folder } = parts;
  const router = Router();
  router.use(compression());
  router.use(
    "/assets",
    compressedCopies(join(folder, "assets")),
    serveStatic(join(folder, "assets"), { immutable: true, maxAge: year * 1000, index: false }),
    (_request, _response, next) => next(notFound()),
  );
  router.use(crawlers(parts.publicUrl, rendererOf(folder)));
  // The template is only served filled in.
  router.get("/index.html", (_request, response) => response.redirect(301, "/"));
  router.use(
    serveStatic(folder, {
      index: false,
      dotfiles: "ignore",
      setHeaders: (response) => response.setHeader("Cache-Control", "no-cache"),
    }),
  );
  router.get("/{*path}", page(parts));
  return router;
}

/** Serves the copies that the build compressed, to browsers that take them. */
function compressedCopies(assets: string): RequestHandler {
  return (request, response, next) => {
    const name = /^\/[\w-]+\.(?:js|css)$/.exec(request.path)?.[0];
    if (name === undefined || !existsSync(join(assets, `${name}.br`))) return next();
    response.vary("Accept-Encoding");
    if (request.acceptsEncodings("br") === false) return next();
    response.set("Content-Encoding", "br").type(extname(name));
    request.url = `${name}.br`;
    next();
  };
}

function page(parts: SiteParts): RequestHandler {
  const pageAt = renderedPages(parts);
  return async (request, response, next) => {
    const answered = asksForPage(request) ? await pageAt(request.path) : undefined;
    const isMissingFile = namesFile(request) && answered?.status !== 404;
    if (answered === undefined || isMissingFile) return next(notFound());
    response.status(answered.status).set("Cache-Control", "no-cache").type("html");
    const letIn = answered.needsIdentity ? parts.letProviderIn : undefined;
    response.send(letIn ? letIn(request, response, answered.html) : answered.html);
  };
}

/** A missing file: the address has an extension. */
const namesFile = ({ path }: Request): boolean => /\.\w+$/.test(path);

/** Only a browser that opens a missing file gets a page. */
const asksForPage = (request: Request): boolean =>
  namesFile(request)
    ? (request.headers.accept ?? "").includes("text/html")
    : request.accepts("html") !== false;

const closedToCrawlers = ["/api/", "/sandbox/", "/accessadmin", "/admin-login"];

/** robots.txt and sitemap.xml, with this installation's address. */
function crawlers(publicUrl: string, load: () => Promise<PageRenderer | undefined>): Router {
  const router = Router();
  router.get("/robots.txt", (_request, response) => {
    const lines = ["User-agent: *", ...closedToCrawlers.map((path) => `Disallow: ${path}`)];
    response.type("text/plain").send(`${lines.join("\n")}\n\nSitemap: ${publicUrl}/sitemap.xml\n`);
  });
  router.get("/sitemap.xml", async (_request, response) => {
    const paths = (await load())?.paths ?? [];
    const entries = paths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>`);
    response
      .type("application/xml")
      .send(
        [
          '<?xml version="1.0" encoding="UTF-8"?>',
          '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
          ...entries,
          "</urlset>\n",
        ].join("\n"),
      );
  });
  return router;
}
