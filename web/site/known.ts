import type { SiteConfig } from "../../contract/site/site.ts";
import { showSiteConfig, siteConfigAnswer } from "../../contract/site/site.ts";

/** The id of the block of JSON with which the server tells a page its configuration. */
export const configBlockId = "site-config";

/** Answers that need not be asked for, by address. */
export const knownOf = (config: SiteConfig | undefined): Record<string, unknown> =>
  config ? { [showSiteConfig.path]: config } : {};

/** The configuration that came with the page; undefined when none did. */
export function configInPage(): SiteConfig | undefined {
  const text = document.getElementById(configBlockId)?.textContent;
  if (!text) return undefined;
  const parsed = siteConfigAnswer.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
