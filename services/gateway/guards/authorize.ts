import type { Role } from "../../identity/roles.ts";
import { notFound, Problem } from "../problem.ts";
import { type Caller, isStaff } from "./identify.ts";

/** @throws Problem 404 unless the caller holds the order or is staff: another's order looks like none */
export function authorizeForOrder(caller: Caller, orderId: string | undefined): string {
  if (orderId === undefined || !(caller.holds(orderId) || isStaff(caller))) throw notFound();
  return orderId;
}

/** Somebody who works here, as their verified session says. */
export type StaffMember = { readonly userId: string; readonly role: Role };

/** @throws Problem 401 when nobody is signed in, 403 when they lack the role */
export function authorizeRole({ userId, role }: Caller, roles: readonly Role[]): StaffMember {
  if (userId === undefined) {
    throw new Problem(401, "sign-in-required", "Please sign in.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  if (role === undefined || !roles.includes(role)) {
    throw new Problem(403, "not-allowed", "You do not have permission to do this.");
  }
  return { userId, role };
}
