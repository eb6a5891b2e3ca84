import type { Request } from "express";
import type { Actor } from "../../../domain/decider.ts";
import type { SessionOfToken } from "../../identity/ended-sessions.ts";
import type { Role } from "../../identity/roles.ts";
import type { Identify } from "../../identity/session-token.ts";
import type { OrderAccess } from "../../orders/requests/order-access.ts";

/** Who sends a request, as far as it was proved. */
export type Caller = {
  readonly role: Role | undefined;
  /** The identity provider's opaque id; undefined when not signed in. */
  readonly userId: string | undefined;
  /** The session whose token came along; undefined when not signed in. */
  readonly session: SessionOfToken | undefined;
  readonly holds: (orderId: string) => boolean;
};

/**
 * Believes a verified session and an order's own cookie, and nothing else. Whatever else a browser says about who it is
 * (user-id headers, development tokens) is a hint for the log; a bearer that proves nothing makes an anonymous caller.
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

/** The actor that events of this order will name. Opaque: a customer is the order they hold. */
export function actorOn(orderId: string, caller: Caller): Actor {
  return isStaff(caller) && caller.userId !== undefined
    ? { kind: "staff", id: caller.userId }
    : { kind: "customer", id: orderId };
}

/** Whether the caller may work on other people's orders. */
export const isStaff = (caller: Caller): boolean => caller.role === "staff" || caller.role === "manager";

/** Which unverified hint came along: its kind only, because its value is whatever somebody wrote there. */
export function hintOf(request: Request): string {
  if (request.headers["x-clerk-user-id"] !== undefined) return "user-id-header";
  if (request.headers.authorization !== undefined) return "bearer";
  return "none";
}
