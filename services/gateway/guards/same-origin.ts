import type { Request } from "express";
import { Problem } from "../errors/problem.ts";

/** @throws Problem 403 for a request from another site's page */
export type SameOrigin = (request: Request) => void;

/**
 * Browsers send the page's origin with every POST; other programs send none. With SameSite cookies and JSON bodies,
 * this prevents cross-site request forgery.
 */
export function createSameOrigin(publicUrl: string): SameOrigin {
  const ours = ownOrigins(publicUrl);
  return (request) => {
    const origin = request.headers.origin;
    const site = request.headers["sec-fetch-site"];
    const foreign = origin === undefined ? site === "cross-site" : !ours.has(origin);
    if (foreign) throw new Problem("foreign-origin", "This request came from another site.");
  };
}

/** The public origin; for a loopback address, under each of its names. */
function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl);
  const loopbacks = ["localhost", "127.0.0.1", "[::1]"];
  if (!loopbacks.includes(url.hostname)) return new Set([url.origin]);
  return new Set(loopbacks.map((name) => new URL(`${url.protocol}//${name}:${url.port}`).origin));
}
