import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

/** What a page is rendered for. */
export type Rendering = {
  /** The built index.html. */
  readonly template: string;
  /** What GET /api/config answers. */
  readonly config: unknown;
  /** Without a trailing slash. */
  readonly publicUrl: string;
};

/** What the built web app brings for the server: the addresses of its public pages, and how to render any page. */
export type PageRenderer = {
  readonly paths: readonly string[];
  /** True where an address has a page. Of any other, what is rendered says that there is none. */
  readonly hasPage: (path: string) => boolean;
  /** True where a page asks who is signed in. */
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
 * Loads what the web app was built with, the first time it is asked.
 * @param folder web/dist. Answers undefined where it was built without, as a bare page is
 * @throws Error when the built file is not what it should be
 */
export function rendererOf(folder: string): () => Promise<PageRenderer | undefined> {
  const file = join(folder, ".rendering", "pages.js");
  let loading: Promise<PageRenderer | undefined> | undefined;
  return () => {
    if (!existsSync(file)) return Promise.resolve(undefined);
    loading ??= import(pathToFileURL(file).href).then((built) => renderer.parse(built));
    return loading;
  };
}

/** What the pages of this installation depend on. */
export type PageParts = {
  /** web/dist */
  readonly folder: string;
  readonly publicUrl: string;
  /** What GET /api/config answers at the moment. */
  readonly config: () => unknown;
  readonly now: () => Date;
};

/** A page as it is answered: 404 where the address has none, and the HTML says so. */
export type AnsweredPage = {
  readonly status: 200 | 404;
  readonly html: string;
  /** True where the page asks who is signed in. */
  readonly needsIdentity: boolean;
};

/**
 * Answers the HTML of any page, or undefined where no web app was built. A public page is rendered once a day and configuration,
 * because its prices and dates may change with the day; the rest is the app's own page, which costs nothing to fill in.
 */
export function renderedPages({ folder, publicUrl, config, now }: PageParts) {
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
    // Only addresses that the app itself lists are kept, so that nobody can fill the memory with others.
    if (!built.paths.includes(path)) {
      const status = built.hasPage(path) ? 200 : 404;
      return { status, html: await render(), needsIdentity: built.needsIdentity(path) };
    }
    const of = `${now().toISOString().slice(0, 10)} ${JSON.stringify(current)} ${template}`;
    const known = kept.get(path);
    if (known?.of === of) return { status: 200, html: known.html, needsIdentity: false };
    const html = await render();
    kept.set(path, { of, html });
    return { status: 200, html, needsIdentity: false };
  };
}
