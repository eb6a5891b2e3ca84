import type { Request } from "express";
import { Problem } from "../errors/problem.ts";

/** @throws Problem 403 when another site's page sent a request that changes something */
export type SameOrigin = (request: Request) => void;

/**
 * A browser names the origin of the page that sends a POST, and other programs name none. Together with SameSite cookies and JSON
 * bodies this keeps other sites from acting in a customer's name.
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

/** The public origin; on a developer's machine, each of the names that a loopback address has. */
export function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl);
  const loopbacks = ["localhost", "127.0.0.1", "[::1]"];
  if (!loopbacks.includes(url.hostname)) return new Set([url.origin]);
  return new Set(loopbacks.map((name) => new URL(`${url.protocol}//${name}:${url.port}`).origin));
}
