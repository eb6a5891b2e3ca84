import type { SiteConfig } from "../../contract/site/site.ts";
import { configBlockId } from "../known.ts";
import type { PageWords } from "./page-words.ts";

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
export function headOf(
  { path, title, description }: PageWords,
  config: SiteConfig,
  publicUrl: string,
): string {
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
export const shellHead = (config: SiteConfig, title?: string): string =>
  [
    `<title>${escaped(title ? `${title} – ${config.tradingName}` : config.tradingName)}</title>`,
    meta("name", "robots", "noindex"),
    dataBlock(config),
  ].join("\n    ");

const meta = (kind: "name" | "property", key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escaped(content)}" />`;
