import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import helmet from "helmet";
import { contentPolicy, type ForeignOrigins, joinOrigins } from "../security-headers.ts";

/** Lets a hosted identity provider into one answered page: answers its HTML, and sets what the page may load. */
export type LetProviderIn = (request: Request, response: Response, html: string) => string;

/**
 * The pages that ask who is signed in may load the provider's scripts, and no other page may. Its styles are put in by script: they are
 * let in by a number that is drawn for each answer and stands in the page, and no other inline style is.
 * @param provider its origins
 * @param others what every page may load besides our own
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
    // A page that was kept would come with a number that its policy no longer names.
    response.set("Cache-Control", "no-store");
    return html.replace("<head>", `<head><meta property="csp-nonce" nonce="${nonce}" />`);
  };
}
