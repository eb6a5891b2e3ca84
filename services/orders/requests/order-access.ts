import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { SigningKeys } from "../../../infra/key-ring/signing-keys.ts";

const cookieLifetimeSeconds = 180 * 86_400;
const keptCookies = 10;
const orderId = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const secretBytes = 16;

type Cookie = { readonly orderId: string; readonly issuedAt: number; readonly secret: string };

/** Access to an order without signing in, by its secret: in a cookie, or initially in a link. */
export type OrderAccess = ReturnType<typeof createOrderAccess>;

/**
 * An order's secret is HMAC(installation key, order id): a repeated request gets the same secret, and nothing is
 * stored.
 * @param options.keys the newest signs; signatures of older keys are accepted until those are revoked
 * @param options.publicUrl without a trailing slash; cookies are `__Host-` and Secure when it is https
 */
export function createOrderAccess(options: { keys: SigningKeys; publicUrl: string; now: () => Date }) {
  const secure = options.publicUrl.startsWith("https:");
  const prefix = secure ? "__Host-order-" : "order-";
  const cookieName = new RegExp(`^${prefix}(${orderId})$`);
  const seconds = () => Math.floor(options.now().getTime() / 1000);

  function tagBy(key: KeyObject, purpose: string, parts: readonly string[]): string {
    const hmac = createHmac("sha256", key).update([purpose, ...parts].join("\n"));
    return hmac.digest().subarray(0, secretBytes).toString("base64url");
  }
  const tag = (purpose: string, ...parts: readonly string[]) => tagBy(options.keys.current(), purpose, parts);
  const isTag = (given: string, purpose: string, ...parts: readonly string[]) =>
    options.keys.accepted().some((key) => sameSecret(given, tagBy(key, purpose, parts)));

  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

  const isGenuine = ({ orderId, secret }: Cookie) => isTag(secret, "cookie", orderId);

  function cookiesOf({ headers }: Request): Cookie[] {
    if (headers.cookie === undefined) return [];
    return headers.cookie.split(";").flatMap((pair) => {
      const [name = "", value = ""] = pair.split("=").map((part) => part.trim());
      const [, orderId] = cookieName.exec(name) ?? [];
      const [, issuedAt, secret] = /^(\d{1,12})\.([\w-]{22})$/.exec(value) ?? [];
      return orderId && issuedAt && secret ? [{ orderId, issuedAt: Number(issuedAt), secret }] : [];
    });
  }

  return {
    /** Whether the request carries this order's cookie. */
    holds(request: Request, orderId: string): boolean {
      return cookiesOf(request).some((cookie) => cookie.orderId === orderId && isGenuine(cookie));
    },

    /** The cookies that make the browser a holder of the order. It keeps its ten newest; older ones are deleted. */
    grant(request: Request, orderId: string): readonly string[] {
      const others = cookiesOf(request).filter((cookie) => cookie.orderId !== orderId);
      // Cookies that only look like ours are deleted first: planted ones must not push out the real ones.
      const age = (cookie: Cookie) => (isGenuine(cookie) ? -cookie.issuedAt : 1);
      const dropped = others.sort((a, b) => age(a) - age(b)).slice(keptCookies - 1);
      const value = `${seconds()}.${tag("cookie", orderId)}`;
      return [
        `${prefix}${orderId}=${value}; Max-Age=${cookieLifetimeSeconds}${attributes}`,
        ...dropped.map((old) => `${prefix}${old.orderId}=; Max-Age=0${attributes}`),
      ];
    },

    /** The emailed URL that makes its opener a holder, until `expires`. */
    trackingLink(orderId: string, orderNumber: string, expires: Date): string {
      const until = Math.floor(expires.getTime() / 1000).toString(36);
      const query = new URLSearchParams({ order: orderNumber });
      // Behind `#` the key is sent to no server, and is in no proxy's log.
      return `${options.publicUrl}/lookup?${query}#key=${until}.${tag("link", orderId, until)}`;
    },

    /** Whether a link's key is valid for this order. */
    checkLinkKey(orderId: string, key: string): "valid" | "expired" | "wrong" {
      const [, until, signature] = /^([0-9a-z]{1,8})\.([\w-]{22})$/.exec(key) ?? [];
      if (!until || !signature || !isTag(signature, "link", orderId, until)) return "wrong";
      return Number.parseInt(until, 36) >= seconds() ? "valid" : "expired";
    },
  };
}

function sameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
