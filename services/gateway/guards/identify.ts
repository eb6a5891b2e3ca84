import type { Request } from "express";
import type { Actor } from "../../../domain/decider.ts";
import type { SessionOfToken } from "../../identity/ended-sessions.ts";
import type { Identify, Role } from "../../identity/session-token.ts";
import type { ClientKey } from "../../orders/command-ids.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import type { OrderAccess } from "../../orders/requests/order-access.ts";
import { notFound, Problem } from "../errors/problem.ts";

/** The sender of a request, as far as proved. */
export type Caller = {
  readonly role: Role | undefined;
  /** The identity provider's opaque id; undefined when not signed in. */
  readonly userId: string | undefined;
  /** The session whose token was sent; undefined when not signed in. */
  readonly session: SessionOfToken | undefined;
  readonly holds: (orderId: string) => Promise<boolean>;
};

/**
 * Trusts a verified session and an order's own cookie only. Other claims of identity (user-id headers, development
 * tokens) are hints for the log; a bearer token that proves nothing leaves the caller anonymous.
 */
export function createIdentifyCaller(
  identify: Identify,
  access: OrderAccess,
  emailChangesOf: (orderId: string) => Promise<number | undefined>,
) {
  return async (request: Request): Promise<Caller> => {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : /^Bearer (\S+)$/i.exec(authorization)?.[1];
    const signedIn = token === undefined ? undefined : await identify(token);
    return {
      role: signedIn?.role,
      userId: signedIn?.userId,
      session: signedIn?.session,
      holds: (orderId) => access.holds(request, orderId, emailChangesOf),
    };
  };
}

/** The actor named in this order's events. Opaque: a customer is named by the order they hold. */
function actorOn(orderId: string, caller: Caller): Actor {
  return isStaff(caller) && caller.userId !== undefined
    ? { kind: "staff", id: caller.userId }
    : { kind: "customer", id: orderId };
}

/** Whether the caller may work on other people's orders. */
export const isStaff = (caller: Caller): boolean => caller.role === "staff" || caller.role === "manager";

/** The kind of an unverified hint. Its value is never logged: a client can write anything there. */
export function hintOf(request: Request): string {
  if (request.headers["x-clerk-user-id"] !== undefined) return "user-id-header";
  if (request.headers.authorization !== undefined) return "bearer";
  return "none";
}

/** The party on whose behalf an order is read or changed. */
export function behalfOf({
  orderId,
  caller,
  correlationId,
}: {
  readonly orderId: string;
  readonly caller: Caller;
  readonly correlationId: string;
}): OnBehalf {
  return { actor: actorOn(orderId, caller), correlationId };
}

/** The client's idempotency key, scoped to one kind of command on one subject; undefined if it sent none. */
export function keyFor(scope: string, key: string | undefined): ClientKey | undefined {
  return key === undefined ? undefined : { scope, key };
}

/** @throws Problem 404 unless the caller holds the order or is staff: to others the order does not exist */
export async function authorizeForOrder(caller: Caller, orderId: string | undefined): Promise<string> {
  if (orderId === undefined || !(isStaff(caller) || (await caller.holds(orderId)))) throw notFound();
  return orderId;
}

/** A signed-in user, from the verified session; without a role, a customer. */
export type SignedInCaller = {
  readonly userId: string;
  readonly role: Role | undefined;
  readonly session: SessionOfToken;
};

/** A signed-in member of staff. */
export type StaffMember = SignedInCaller & { readonly role: Role };

/** @throws Problem 401 unless the caller is signed in */
export function authorizeSignedIn({ userId, role, session }: Caller): SignedInCaller {
  if (userId === undefined || session === undefined) {
    throw new Problem("sign-in-required", "Please sign in.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  return { userId, role, session };
}

/** @throws Problem 401 unless the caller is signed in, 403 without one of the roles */
export function authorizeRole(caller: Caller, roles: readonly Role[]): StaffMember {
  const { userId, role, session } = authorizeSignedIn(caller);
  if (role === undefined || !roles.includes(role)) {
    throw new Problem("not-allowed", "You do not have permission to do this.");
  }
  return { userId, role, session };
}

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
