import { configSchema, type SiteConfig } from "./api/get-config.ts";
import { api } from "./paths.ts";

/** The id of the block of JSON with which the server tells a page its configuration. */
export const configBlockId = "site-config";

/** Answers that need not be asked for, by address. */
export const knownOf = (config: SiteConfig | undefined): Record<string, unknown> =>
  config ? { [api.config]: config } : {};

/** The configuration that came with the page; undefined when none did. */
export function configInPage(): SiteConfig | undefined {
  const text = document.getElementById(configBlockId)?.textContent;
  if (!text) return undefined;
  const parsed = configSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
