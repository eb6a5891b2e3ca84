import type { Request } from "express";
import type { Actor } from "../../../domain/decider.ts";
import type { SessionOfToken } from "../../identity/ended-sessions.ts";
import type { Role } from "../../identity/roles.ts";
import type { Identify } from "../../identity/session-token.ts";
import type { ClientKey } from "../../orders/command-ids.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import type { OrderAccess } from "../../orders/requests/order-access.ts";

/** The sender of a request, as far as proved. */
export type Caller = {
  readonly role: Role | undefined;
  /** The identity provider's opaque id; undefined when not signed in. */
  readonly userId: string | undefined;
  /** The session whose token was sent; undefined when not signed in. */
  readonly session: SessionOfToken | undefined;
  readonly holds: (orderId: string) => boolean;
};

/**
 * Trusts a verified session and an order's own cookie only. Other claims of identity (user-id headers, development
 * tokens) are hints for the log; a bearer token that proves nothing leaves the caller anonymous.
 */
export function createIdentifyCaller(identify: Identify, access: OrderAccess) {
  return async (request: Request): Promise<Caller> => {
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const signedIn = token === undefined ? undefined : await identify(token);
    return {
      role: signedIn?.role,
      userId: signedIn?.userId,
      session: signedIn?.session,
      holds: (orderId) => access.holds(request, orderId),
    };
  };
}

/** The actor named in this order's events. Opaque: a customer is named by the order they hold. */
export function actorOn(orderId: string, caller: Caller): Actor {
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
