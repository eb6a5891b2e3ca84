import { renderToString } from "react-dom/server";
import { matchPath, StaticRouter } from "react-router-dom";
import type { SiteConfig } from "../../contract/site/site.ts";
import { App } from "../app/app.tsx";
import { loadPage, publicPages } from "../app/public-pages.ts";
import { identityPatterns, pagePatterns, pages } from "../paths.ts";
import { configBlockId, knownOf } from "../site/config.ts";
import { renderFrame } from "./frames.tsx";
import { type PageWords, pageWords } from "./page-words.ts";

/** The addresses of the pages that can be rendered. */
export const paths: readonly string[] = pageWords.map(({ path }) => path);

/** What a page is rendered for: the built index.html, this installation, and its own address without a trailing slash. */
export interface Rendering {
  readonly template: string;
  readonly config: SiteConfig;
  readonly publicUrl: string;
}

/** True where an address has a page, by the router's own rules. */
export const hasPage = (path: string): boolean =>
  pagePatterns.some((pattern) => matchPath(pattern, path) !== null);

/** True where a page asks who is signed in, and so may load the identity provider. */
export const needsIdentity = (path: string): boolean =>
  identityPatterns.some((pattern) => matchPath(pattern, path) !== null);

/** True where only the script can fill the page. */
const isFramed = (path: string): boolean =>
  hasPage(path) && ![pages.home, ...Object.keys(publicPages)].some((pattern) => matchPath(pattern, path));

/** The whole HTML of a public page, or of Page Not Found; of a page that only its script can fill, the frame. */
export async function renderPage(path: string, { template, config, publicUrl }: Rendering): Promise<string> {
  const words = pageWords.find((known) => known.path === path);
  if (isFramed(path)) {
    const { title, html } = renderFrame(path, config);
    return fill(template, words ? headOf(words, config, publicUrl) : shellHead(config, title), html);
  }
  await loadPage(path);
  const page = renderToString(
    <StaticRouter location={path}>
      <App known={knownOf(config)} preRendered />
    </StaticRouter>,
  );
  const head = words ? headOf(words, config, publicUrl) : shellHead(config, "Page Not Found");
  return fill(scriptsLast(template), head, page);
}

/** What reads without script asks for its style and typefaces first, and for the app only when somebody may need it. */
const scriptsLast = (template: string): string =>
  template
    .replace('<script type="module"', '$& fetchpriority="low"')
    .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, "");

/** Functions instead of texts: a text's `$` would have a meaning of its own to `replace`. */
const fill = (template: string, head: string, page: string): string =>
  template.replace("<!--head-->", () => head).replace("<!--page-->", () => page);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** A block of data, which no browser runs: `<` is written so that no text in it can end it. */
const dataBlock = (config: SiteConfig): string =>
  `<script type="application/json" id="${configBlockId}">${JSON.stringify(config).replaceAll("<", "\\u003c")}</script>`;

/** The head of a page that the server renders. */
function headOf({ path, title, description }: PageWords, config: SiteConfig, publicUrl: string): string {
  const name = config.tradingName;
  const address = `${publicUrl}${path}`;
  const card = `${publicUrl}/social-card.png`;
  return [
    `<title>${escaped(`${title} – ${name}`)}</title>`,
    meta("name", "description", description),
    `<link rel="canonical" href="${escaped(address)}" />`,
    meta("property", "og:type", "website"),
    meta("property", "og:site_name", name),
    meta("property", "og:locale", "en_GB"),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:url", address),
    meta("property", "og:image", card),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta(
      "property",
      "og:image:alt",
      "The certificate you need, without the form you don’t. A private company, not the GRO.",
    ),
    meta("name", "twitter:card", "summary_large_image"),
    dataBlock(config),
  ].join("\n    ");
}

/** The head of a page that no search engine is to list: an order of somebody's, which only its script can fill, or none at all. */
const shellHead = (config: SiteConfig, title?: string): string =>
  [
    `<title>${escaped(title ? `${title} – ${config.tradingName}` : config.tradingName)}</title>`,
    meta("name", "robots", "noindex"),
    dataBlock(config),
  ].join("\n    ");

const meta = (kind: "name" | "property", key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escaped(content)}" />`;
