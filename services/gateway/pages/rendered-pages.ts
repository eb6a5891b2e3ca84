import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { londonDate } from "../../../domain/promise/london-time.ts";

type Rendering = {
  /** The built index.html. */
  readonly template: string;
  /** The answer of GET /api/config. */
  readonly config: unknown;
  /** Without a trailing slash. */
  readonly publicUrl: string;
};

/** The web app's server build. */
export type PageRenderer = {
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
export function rendererOf(folder: string): () => Promise<PageRenderer | undefined> {
  const file = join(folder, ".rendering", "pages.js");
  let loading: Promise<PageRenderer | undefined> | undefined;
  return () => {
    if (!existsSync(file)) return Promise.resolve(undefined);
    loading ??= import(pathToFileURL(file).href).then((built) => renderer.parse(built));
    return loading;
  };
}

export type PageParts = {
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
 * Returns the HTML of any page, or undefined if no web app was built. A public page is rendered once per day in London
 * and configuration, because its prices and dates may change daily; the others are the app's template, which is cheap
 * to fill in.
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
    // Only addresses the app lists are cached: unknown addresses cannot fill the memory.
    if (!built.paths.includes(path)) {
      const status = built.hasPage(path) ? 200 : 404;
      return { status, html: await render(), needsIdentity: built.needsIdentity(path) };
    }
    const of = `${londonDate(now().toISOString())} ${JSON.stringify(current)} ${template}`;
    const known = kept.get(path);
    if (known?.of === of) return { status: 200, html: known.html, needsIdentity: false };
    const html = await render();
    kept.set(path, { of, html });
    return { status: 200, html, needsIdentity: false };
  };
}
