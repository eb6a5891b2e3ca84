import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import helmet from "helmet";
import { contentPolicy, type ForeignOrigins, joinOrigins } from "../security-headers.ts";

/** Admits a hosted identity provider to one page: sets the page's policy and returns its HTML. */
export type LetProviderIn = (request: Request, response: Response, html: string) => string;

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
