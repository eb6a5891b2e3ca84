import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";
import { requestIdHeader, requestIdOf } from "./request-log.ts";

/** Origins beyond our own that the pages need; everything else is refused by the browser. */
export type ForeignOrigins = {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly connections: readonly string[];
  readonly images: readonly string[];
  readonly workers: readonly string[];
  readonly styles: readonly string[];
};

const none: ForeignOrigins = {
  scripts: [],
  frames: [],
  connections: [],
  images: [],
  workers: [],
  styles: [],
};

/**
 * Where Stripe's scripts, frames and calls come from: https://docs.stripe.com/security/guide (content security policy).
 */
export const stripeOrigins: ForeignOrigins = {
  ...none,
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connections: ["https://api.stripe.com"],
};

/**
 * What Clerk's script needs: https://clerk.com/docs/guides/secure/best-practices/csp-headers.
 * @param clerk.frontendHost of its Frontend API, from the publishable key: another installation's is refused
 */
export const clerkOrigins = ({ frontendHost }: { readonly frontendHost: string }): ForeignOrigins => ({
  ...none,
  scripts: [`https://${frontendHost}`, "https://challenges.cloudflare.com"],
  frames: ["https://challenges.cloudflare.com"],
  connections: [`https://${frontendHost}`],
  images: ["https://img.clerk.com"],
  workers: ["blob:"],
});

/** The sandbox's card fields live in a frame of an origin of their own; its script comes from ours. */
export const sandboxOrigins = (cardOrigin: string): ForeignOrigins => ({
  ...none,
  frames: [cardOrigin],
  connections: [cardOrigin],
});

/** What several providers need, together. */
export const joinOrigins = (several: readonly ForeignOrigins[]): ForeignOrigins => ({
  scripts: several.flatMap(({ scripts }) => scripts),
  frames: several.flatMap(({ frames }) => frames),
  connections: several.flatMap(({ connections }) => connections),
  images: several.flatMap(({ images }) => images),
  workers: several.flatMap(({ workers }) => workers),
  styles: several.flatMap(({ styles }) => styles),
});

/**
 * Headers of every answer, and its request's id. Nothing inline, nothing from data: URLs, no frames around us. Made
 * once: helmet's fourteen handlers would make the same ones for each request.
 */
export function securityHeaders(foreign: ForeignOrigins, https: boolean): RequestHandler {
  const setByHelmet = headersSetBy(
    helmet({
      contentSecurityPolicy: contentPolicy(foreign, https),
      strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
      // A link in a mail carries a key in its query: it must not travel on.
      referrerPolicy: { policy: "no-referrer" },
      crossOriginOpenerPolicy: { policy: "same-origin" },
      crossOriginResourcePolicy: { policy: "same-origin" },
      xFrameOptions: { action: "deny" },
    }),
  );
  const writeHead = headWith([
    ["Permissions-Policy", "camera=(), geolocation=(), microphone=()"],
    ...setByHelmet,
  ]);
  return (_request, response, next) => {
    response.writeHead = writeHead;
    next();
  };
}

/**
 * `writeHead` with more headers, unless an answer has its own of that name. Set before it, each would be checked, filed
 * and looked up again, which takes 3 µs of a lookup's 55.
 */
function headWith(headers: readonly (readonly [string, string])[]) {
  const flat = headers.flat();
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return function (this: Response, ...args: [status: number, ...unknown[]]) {
    const [status, given] = args;
    const id = requestIdOf(this);
    const own = this.getHeaderNames();
    if (Array.isArray(given) && own.length === 0)
      return Reflect.apply(nodesWriteHead, this, [status, [requestIdHeader, id, ...flat, ...given]]);
    this.setHeader(requestIdHeader, id);
    const isFree = own.every((name) => !names.has(name));
    for (const [name, value] of headers) if (isFree || !this.hasHeader(name)) this.setHeader(name, value);
    return Reflect.apply(nodesWriteHead, this, args);
  };
}

const nodesWriteHead = ServerResponse.prototype.writeHead;

/** @throws the error of a middleware that has one, or Error if it waits before it goes on */
function headersSetBy(middleware: ReturnType<typeof helmet>): (readonly [string, string])[] {
  const request = new IncomingMessage(new Socket());
  const response = new RecordedHeaders(request);
  let isDone = false;
  middleware(request, response, (error) => {
    if (error !== undefined) throw error;
    isDone = true;
  });
  if (!isDone) throw new Error("The security headers are not known at once.");
  return [...response.values];
}

class RecordedHeaders extends ServerResponse {
  readonly values = new Map<string, string>();
  override setHeader(name: string, value: string | number | readonly string[]): this {
    this.values.set(name, String(value));
    return this;
  }
}

/** What pages may load, and from where. */
export const contentPolicy = (foreign: ForeignOrigins, https: boolean) => ({
  useDefaults: false,
  directives: {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...foreign.scripts],
    "style-src": ["'self'", ...foreign.styles],
    "font-src": ["'self'"],
    "img-src": ["'self'", ...foreign.images],
    "manifest-src": ["'self'"],
    "connect-src": ["'self'", ...foreign.connections],
    "frame-src": foreign.frames.length > 0 ? [...foreign.frames] : ["'none'"],
    ...(foreign.workers.length > 0 && { "worker-src": [...foreign.workers] }),
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "object-src": ["'none'"],
    ...(https && { "upgrade-insecure-requests": [] }),
  },
});
