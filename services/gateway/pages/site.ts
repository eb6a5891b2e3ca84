import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import compression from "compression";
import { type Request, type RequestHandler, type Response, Router, static as serveStatic } from "express";
import helmet from "helmet";
import { z } from "zod";
import { londonDate } from "../../../domain/promise/london-time.ts";
import { receivedOn } from "../../../domain/promise/timetable.ts";
import { notFound } from "../errors/problem.ts";
import { contentPolicy, type ForeignOrigins, joinOrigins } from "../security-headers.ts";

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
    if (endsWithSlash.test(request.path)) return response.redirect(308, withoutSlash(request));
    const answered = asksForPage(request) ? await pageAt(request.path) : undefined;
    const isMissingFile = namesFile(request) && answered?.status !== 404;
    if (answered === undefined || isMissingFile) return next(notFound());
    response.status(answered.status).set("Cache-Control", "no-cache").type("html");
    const letIn = answered.needsIdentity ? parts.letProviderIn : undefined;
    response.send(letIn ? letIn(request, response, answered.html) : answered.html);
  };
}

/** Of plain names only: `//another.example/` must not lead to another site. */
const endsWithSlash = /^(?:\/[\w-]+)+\/$/;

/** The one address of a page, with the query that was sent. */
const withoutSlash = ({ path, originalUrl }: Request): string =>
  `${path.slice(0, -1)}${originalUrl.slice(path.length)}`;

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

type Rendering = {
  /** The built index.html. */
  readonly template: string;
  /** The answer of GET /api/config. */
  readonly config: unknown;
  /** Without a trailing slash. */
  readonly publicUrl: string;
};

/** The web app's server build. */
type PageRenderer = {
  readonly paths: readonly string[];
  /** Whether an address has a page; any other renders as "not found". */
  readonly hasPage: (path: string) => boolean;
  /** Whether the page asks who is signed in. */
  readonly needsIdentity: (path: string) => boolean;
  readonly renderPage: (path: string, rendering: Rendering) => Promise<string>;
};

const renderer = z.object({
  paths: z.array(z.string()),
  hasPage: z.custom<PageRenderer["hasPage"]>((value) => typeof value === "function"),
  needsIdentity: z.custom<PageRenderer["needsIdentity"]>((value) => typeof value === "function"),
  renderPage: z.custom<PageRenderer["renderPage"]>((value) => typeof value === "function"),
});

/**
 * Loads the web app's server build on first use.
 * @param folder web/dist
 * @returns undefined if the app was built without one
 * @throws Error if the built file lacks the expected exports
 */
function rendererOf(folder: string): () => Promise<PageRenderer | undefined> {
  const file = join(folder, ".rendering", "pages.js");
  let loading: Promise<PageRenderer | undefined> | undefined;
  return () => {
    if (!existsSync(file)) return Promise.resolve(undefined);
    loading ??= import(pathToFileURL(file).href).then((built) => renderer.parse(built));
    return loading;
  };
}

type PageParts = {
  /** web/dist */
  readonly folder: string;
  readonly publicUrl: string;
  /** The current answer of GET /api/config. */
  readonly config: () => unknown;
  readonly now: () => Date;
};

/** A rendered page; 404 for an address without one, whose HTML says so. */
type AnsweredPage = {
  readonly status: 200 | 404;
  readonly html: string;
  /** Whether the page asks who is signed in. */
  readonly needsIdentity: boolean;
};

/**
 * Returns the HTML of any page, or undefined if no web app was built. A public page is rendered once for each
 * configuration and day in London, and again after the day's cut-off, because it tells prices, dates and when an order
 * placed now is despatched; the others are the app's template, which is cheap to fill in.
 */
function renderedPages({ folder, publicUrl, config, now }: PageParts) {
  const load = rendererOf(folder);
  const kept = new Map<string, { readonly of: string; readonly html: string }>();
  return async (path: string): Promise<AnsweredPage | undefined> => {
    const file = join(folder, "index.html");
    if (!existsSync(file)) return undefined;
    const template = readFileSync(file, "utf8");
    const built = await load();
    if (built === undefined) return { status: 200, html: template, needsIdentity: false };
    const current = config();
    const render = () => built.renderPage(path, { template, config: current, publicUrl });
    // Only addresses the app lists are cached: unknown addresses cannot fill the memory.
    if (!built.paths.includes(path)) {
      const status = built.hasPage(path) ? 200 : 404;
      return { status, html: await render(), needsIdentity: built.needsIdentity(path) };
    }
    const at = now().toISOString();
    const of = `${londonDate(at)} ${receivedOn(at)} ${JSON.stringify(current)} ${template}`;
    const known = kept.get(path);
    if (known?.of === of) return { status: 200, html: known.html, needsIdentity: false };
    const html = await render();
    kept.set(path, { of, html });
    return { status: 200, html, needsIdentity: false };
  };
}

/** Admits a hosted identity provider to one page: sets the page's policy and returns its HTML. */
type LetProviderIn = (request: Request, response: Response, html: string) => string;

/**
 * Only pages that ask who is signed in may load the provider's scripts. Its scripts insert inline styles, which a nonce
 * drawn for each answer admits.
 * @param provider the provider's origins
 * @param others the origins, other than ours, that every page may load from
 */
export function createLetProviderIn(
  provider: ForeignOrigins,
  others: ForeignOrigins,
  https: boolean,
): LetProviderIn {
  return (request, response, html) => {
    const nonce = randomBytes(16).toString("base64");
    const drawn = { ...provider, styles: [...provider.styles, `'nonce-${nonce}'`] };
    const setPolicy = helmet.contentSecurityPolicy(contentPolicy(joinOrigins([others, drawn]), https));
    setPolicy(request, response, () => undefined);
    // A cached page would carry a nonce that its policy no longer names.
    response.set("Cache-Control", "no-store");
    return html.replace("<head>", `<head><meta property="csp-nonce" nonce="${nonce}" />`);
  };
}
