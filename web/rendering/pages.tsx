import { renderToString } from "react-dom/server";
import { matchPath, StaticRouter } from "react-router-dom";
import type { SiteConfig } from "../../contract/site/site.ts";
import { App, hydratedPages, loadPage, textPages } from "../app/app.tsx";
import { identityPatterns, pagePatterns, pages } from "../paths.ts";
import { configBlockId, knownOf } from "../site/config.ts";
import { renderFrame } from "./frames.tsx";

/** A page's title, without the trading name, and description, for search engines and link previews. */
interface PageWords {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** Every page rendered by the server, in sitemap order. */
const pageWords: readonly PageWords[] = [
  {
    path: pages.home,
    title: "Birth and death certificates for England and Wales",
    description:
      "Order copies of birth and death certificates for England and Wales. We fill in the form, send it and pay the fee. A private company, not the General Register Office.",
  },
  {
    path: pages.order,
    title: "Order a certificate",
    description:
      "Order a birth or death certificate for England and Wales in five short steps. We fill in the form, send it to the General Register Office and pay its fee.",
  },
  {
    path: pages.lookup,
    title: "Order Lookup",
    description:
      "Enter your order number to see where your order is, what happens next, and when the General Register Office is expected to send your certificate.",
  },
  {
    path: pages.services,
    title: "Services",
    description:
      "Birth and death certificates from the registers of England and Wales: what we order for you, what you need to know, and what we cannot order.",
  },
  {
    path: pages.pricing,
    title: "Pricing",
    description:
      "One price per copy, including the General Register Office fee and postage. See the price breakdown, and what the same certificate costs if you order directly.",
  },
  {
    path: pages.howItWorks,
    title: "How it works",
    description:
      "From five short steps to your letter box: what happens to your order, when your details are deleted, and how long the certificate takes.",
  },
  {
    path: pages.support,
    title: "Support",
    description: "Answers to common questions about ordering certificates, and a form to contact our team.",
  },
  {
    path: pages.about,
    title: "About Us",
    description:
      "Who we are, what we do and what we don’t do. A private company that handles the paperwork for certificates.",
  },
  {
    path: pages.terms,
    title: "Terms & Conditions",
    description: "What you are buying, what it costs, how to cancel, and your rights and ours.",
  },
  {
    path: pages.privacy,
    title: "Privacy Policy",
    description: "What we collect, why, who we share it with, and when we delete it.",
  },
  {
    path: pages.cookies,
    title: "Cookies",
    description: "What this site stores in your browser, and why none of it tracks you.",
  },
  {
    path: pages.accessibility,
    title: "Accessibility statement",
    description: "How accessible this site is, how we tested it, and how to report a problem.",
  },
  {
    path: pages.dataProtection,
    title: "Data protection complaints",
    description: "How to complain about how we handle your personal data, and what happens next.",
  },
  {
    path: pages.transparency,
    title: "Our public log",
    description:
      "How the log of our orders works, what it shows and what it does not, how anyone can check that it was not changed, and its newest checkpoint.",
  },
  {
    path: pages.verify,
    title: "Check a proof of deletion",
    description:
      "Check in your browser that the deletion of your details is on record. The file stays on your device.",
  },
];

export const paths: readonly string[] = pageWords.map(({ path }) => path);

/** Input of rendering: the built index.html, the configuration, and the public URL without a trailing slash. */
interface Rendering {
  readonly template: string;
  readonly config: SiteConfig;
  readonly publicUrl: string;
}

/** Whether an address has a page, by the router's rules. */
export const hasPage = (path: string): boolean =>
  pagePatterns.some((pattern) => matchPath(pattern, path) !== null);

/** Whether a page needs the signed-in user, and so may load the identity provider. */
export const needsIdentity = (path: string): boolean =>
  identityPatterns.some((pattern) => matchPath(pattern, path) !== null);

const isOneOf = (known: object, path: string): boolean =>
  Object.keys(known).some((pattern) => matchPath(pattern, path) !== null);

/** Whether a page needs scripts. */
const isFramed = (path: string): boolean =>
  hasPage(path) && !isOneOf({ ...textPages, ...hydratedPages }, path);

/** The HTML of a public page or Page Not Found; for a page that needs scripts, the frame. */
export async function renderPage(path: string, { template, config, publicUrl }: Rendering): Promise<string> {
  const words = pageWords.find((known) => known.path === path);
  if (isFramed(path)) {
    const { title, html } = renderFrame(path, config);
    return fill(
      withFilesOf(path, template),
      words ? headOf(words, config, publicUrl) : shellHead(config, title),
      html,
    );
  }
  await loadPage(path);
  const page = renderToString(
    <StaticRouter location={path}>
      <App known={knownOf(config)} preRendered />
    </StaticRouter>,
  );
  const head = words ? headOf(words, config, publicUrl) : shellHead(config, "Page Not Found");
  const start = isOneOf(hydratedPages, path) ? "later" : "never";
  return fill(startingApp(start, withFilesOf(path, template)), head, page);
}

/**
 * Tells main.ts when to start the app on a page readable without it. The page loads styles and fonts first: main.ts
 * turns the links to the app's files into preloads.
 */
const startingApp = (start: "later" | "never", template: string): string =>
  template
    .replace('<div id="root"', `$& data-app="${start}"`)
    .replaceAll('<link rel="modulepreload"', '<link data-later="modulepreload"');

/**
 * Of the links to some pages' own files, keeps those of this page. Scripts give way to the style, which the first paint
 * waits for.
 */
const withFilesOf = (path: string, template: string): string =>
  template
    .replaceAll(/\s*<link [^>]*data-page="(.*?)"[^>]*>/g, (link, page) => (path === `/${page}` ? link : ""))
    .replaceAll(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"');

/** Replacement functions, because `replace` gives `$` in strings a special meaning. */
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

/** A data block, which browsers do not execute; `<` is escaped so that no text can close it. */
const dataBlock = (config: SiteConfig): string =>
  `<script type="application/json" id="${configBlockId}">${JSON.stringify(config).replaceAll("<", "\\u003c")}</script>`;

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

/** The head of a page hidden from search engines: a page that needs scripts, such as an order's, or Page Not Found. */
const shellHead = (config: SiteConfig, title?: string): string =>
  [
    `<title>${escaped(title ? `${title} – ${config.tradingName}` : config.tradingName)}</title>`,
    meta("name", "robots", "noindex"),
    dataBlock(config),
  ].join("\n    ");

const meta = (kind: "name" | "property", key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escaped(content)}" />`;
