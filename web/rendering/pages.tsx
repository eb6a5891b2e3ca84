import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import type { SiteConfig } from "../api/get-config.ts";
import { App } from "../app.tsx";
import { knownOf } from "../known.ts";
import { loadPublicPage } from "../public-pages.ts";
import { headOf, shellHead } from "./page-head.ts";
import { pageWords } from "./page-words.ts";

/** The addresses of the pages that can be rendered. */
export const paths: readonly string[] = pageWords.map(({ path }) => path);

/** What a page is rendered for: the built index.html, this installation, and its own address without a trailing slash. */
export interface Rendering {
  readonly template: string;
  readonly config: SiteConfig;
  readonly publicUrl: string;
}

/** The whole HTML of a public page; of any other address, the page that the script fills in. */
export async function renderPage(path: string, { template, config, publicUrl }: Rendering): Promise<string> {
  const words = pageWords.find((known) => known.path === path);
  if (!words) return fill(template, shellHead(config), "");
  await loadPublicPage(path);
  const page = renderToString(
    <StaticRouter location={path}>
      <App known={knownOf(config)} preRendered />
    </StaticRouter>,
  );
  return fill(scriptsLast(template), headOf(words, config, publicUrl), page);
}

/** What reads without script asks for its style and typefaces first. */
const scriptsLast = (template: string): string =>
  template.replaceAll(/<(?:script type|link rel)="module(?:preload)?"/g, '$& fetchpriority="low"');

/** Functions instead of texts: a text's `$` would have a meaning of its own to `replace`. */
const fill = (template: string, head: string, page: string): string =>
  template.replace("<!--head-->", () => head).replace("<!--page-->", () => page);
