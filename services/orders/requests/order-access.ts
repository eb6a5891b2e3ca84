import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { Order } from "../../../domain/order/state.ts";
import type { SigningKeys } from "../../../infra/key-ring/signing-keys.ts";

const cookieLifetimeSeconds = 180 * 86_400;
const keptCookies = 10;
const orderId = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const secretBytes = 16;

type Cookie = {
  readonly orderId: string;
  readonly issuedAt: number;
  /** How often the address had been corrected when the browser entered by an emailed link; absent if it ordered. */
  readonly emailChanges?: number;
  readonly secret: string;
};

type LinkedOrder = Pick<Order, "orderId" | "orderNumber" | "emailChanges">;

/**
 * Access to an order without signing in, by its secret: in a cookie, or initially in an emailed link. Once the email
 * address is corrected, earlier links and the cookies that they gave no longer count: another person may have them.
 */
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

  const cookieParts = ({ orderId, emailChanges }: Omit<Cookie, "issuedAt" | "secret">) =>
    emailChanges === undefined ? [orderId] : [orderId, String(emailChanges)];
  const isGenuine = (cookie: Cookie) => isTag(cookie.secret, "cookie", ...cookieParts(cookie));

  // Links from before corrections were counted look like those without one, and stay valid.
  const linkParts = (orderId: string, until: string, emailChanges: number) =>
    emailChanges === 0 ? [orderId, until] : [orderId, until, String(emailChanges)];

  function cookiesOf({ headers }: Request): Cookie[] {
    if (headers.cookie === undefined) return [];
    return headers.cookie.split(";").flatMap((pair) => {
      const [name = "", value = ""] = pair.split("=").map((part) => part.trim());
      const [, orderId] = cookieName.exec(name) ?? [];
      const [, issuedAt, changes, secret] = /^(\d{1,12})\.(?:(\d{1,3})\.)?([\w-]{22})$/.exec(value) ?? [];
      if (!orderId || !issuedAt || !secret) return [];
      const cookie = { orderId, issuedAt: Number(issuedAt), secret };
      return [changes === undefined ? cookie : { ...cookie, emailChanges: Number(changes) }];
    });
  }

  const genuineOf = (request: Request, orderId: string): Cookie[] =>
    cookiesOf(request).filter((cookie) => cookie.orderId === orderId && isGenuine(cookie));

  return {
    /**
     * Whether the request carries a cookie of this order that counts.
     * @param emailChangesOf asked only where the browser entered by a link; undefined for an unknown order
     */
    async holds(
      request: Request,
      orderId: string,
      emailChangesOf: (orderId: string) => Promise<number | undefined>,
    ): Promise<boolean> {
      const cookies = genuineOf(request, orderId);
      if (cookies.length === 0) return false;
      if (cookies.some(isOfOrdering)) return true;
      const changes = await emailChangesOf(orderId);
      return cookies.some(({ emailChanges }) => emailChanges === changes);
    },

    /**
     * The cookies that make the browser a holder of the order. It keeps its ten newest; older ones are deleted.
     * @param emailChanges where it enters by a link; a browser that ordered stays one
     */
    grant(request: Request, orderId: string, emailChanges?: number): readonly string[] {
      const ordered = emailChanges === undefined || genuineOf(request, orderId).some(isOfOrdering);
      const granted = ordered ? { orderId } : { orderId, emailChanges };
      const others = cookiesOf(request).filter((cookie) => cookie.orderId !== orderId);
      // Cookies that only look like ours are deleted first: planted ones must not push out the real ones.
      const age = (cookie: Cookie) => (isGenuine(cookie) ? -cookie.issuedAt : 1);
      const dropped = others.sort((a, b) => age(a) - age(b)).slice(keptCookies - 1);
      const value = [
        seconds(),
        ...(granted.emailChanges === undefined ? [] : [granted.emailChanges]),
        tag("cookie", ...cookieParts(granted)),
      ].join(".");
      return [
        `${prefix}${orderId}=${value}; Max-Age=${cookieLifetimeSeconds}${attributes}`,
        ...dropped.map((old) => `${prefix}${old.orderId}=; Max-Age=0${attributes}`),
      ];
    },

    /** The emailed URL that makes its opener a holder, until `expires`. */
    trackingLink({ orderId, orderNumber, emailChanges }: LinkedOrder, expires: Date): string {
      const until = Math.floor(expires.getTime() / 1000).toString(36);
      const query = new URLSearchParams({ order: orderNumber });
      // Behind `#` the key is sent to no server, and is in no proxy's log.
      return `${options.publicUrl}/lookup?${query}#key=${until}.${tag("link", ...linkParts(orderId, until, emailChanges))}`;
    },

    /** Whether a link's key is valid for this order. One that was mailed to an earlier address has expired. */
    checkLinkKey(
      { orderId, emailChanges }: Pick<LinkedOrder, "orderId" | "emailChanges">,
      key: string,
    ): "valid" | "expired" | "wrong" {
      const [, until, signature] = /^([0-9a-z]{1,8})\.([\w-]{22})$/.exec(key) ?? [];
      if (!until || !signature) return "wrong";
      const isOf = (changes: number) => isTag(signature, "link", ...linkParts(orderId, until, changes));
      if (isOf(emailChanges)) return Number.parseInt(until, 36) >= seconds() ? "valid" : "expired";
      return Array.from({ length: emailChanges }, (_, earlier) => earlier).some(isOf) ? "expired" : "wrong";
    },
  };
}

const isOfOrdering = ({ emailChanges }: Cookie): boolean => emailChanges === undefined;

function sameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
