import type { RequestHandler } from "express";
import helmet from "helmet";

/** Origins beyond our own that the pages need; everything else is refused by the browser. */
export type ForeignOrigins = {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly connections: readonly string[];
};

/** Where Stripe's scripts, frames and calls come from: https://docs.stripe.com/security/guide (content security policy). */
export const stripeOrigins: ForeignOrigins = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connections: ["https://api.stripe.com"],
};

/** The sandbox's card fields live in a frame of an origin of their own; its script comes from ours. */
export const sandboxOrigins = (cardOrigin: string): ForeignOrigins => ({
  scripts: [],
  frames: [cardOrigin],
  connections: [cardOrigin],
});

/** Headers of every answer. Nothing inline, nothing from data: URLs, no frames around us. */
export function securityHeaders(foreign: ForeignOrigins, https: boolean): RequestHandler {
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "script-src": ["'self'", ...foreign.scripts],
        "style-src": ["'self'"],
        "font-src": ["'self'"],
        "img-src": ["'self'"],
        "manifest-src": ["'self'"],
        "connect-src": ["'self'", ...foreign.connections],
        "frame-src": foreign.frames.length > 0 ? [...foreign.frames] : ["'none'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
        ...(https && { "upgrade-insecure-requests": [] }),
      },
    },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
    // A link in a mail carries a key in its query: it must not travel on.
    referrerPolicy: { policy: "no-referrer" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });
  return (request, response, next) => {
    response.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    headers(request, response, next);
  };
}
