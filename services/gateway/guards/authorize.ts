import type { Role } from "../../identity/roles.ts";
import { notFound, Problem } from "../problem.ts";
import { type Caller, isStaff } from "./identify.ts";

/** @throws Problem 404 unless the caller holds the order or is staff: another's order looks like none */
export function authorizeForOrder(caller: Caller, orderId: string | undefined): string {
  if (orderId === undefined || !(caller.holds(orderId) || isStaff(caller))) throw notFound();
  return orderId;
}

/** @throws Problem 401 when nobody is signed in, 403 when they lack the role */
export function authorizeRole(caller: Caller, roles: readonly Role[]): void {
  if (caller.userId === undefined) {
    throw new Problem(401, "sign-in-required", "Please sign in.", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  if (caller.role === undefined || !roles.includes(caller.role)) {
    throw new Problem(403, "not-allowed", "You do not have permission to do this.");
  }
}
