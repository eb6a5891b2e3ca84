import type { SessionOfToken } from "../../identity/ended-sessions.ts";
import type { Role } from "../../identity/roles.ts";
import { notFound, Problem } from "../errors/problem.ts";
import { type Caller, isStaff } from "./identify.ts";

/** @throws Problem 404 unless the caller holds the order or is staff: to others the order does not exist */
export function authorizeForOrder(caller: Caller, orderId: string | undefined): string {
  if (orderId === undefined || !(caller.holds(orderId) || isStaff(caller))) throw notFound();
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
