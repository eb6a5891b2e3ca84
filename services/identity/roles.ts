import { type Grant, type StaffRole, staffRole } from "../../domain/settings/vocabulary.ts";

export const role = staffRole;
export type Role = StaffRole;

/**
 * The role of a verified session: a name listed in ADMIN_USERNAMES before a revocation, before a grant, before the token's own claim.
 * Names are compared whole, because part of a name is anybody's to choose.
 */
export function roleOf(
  claims: { username?: string | undefined; role?: unknown },
  adminUsernames: readonly string[],
  grant?: Grant,
): Role | undefined {
  if (claims.username !== undefined && adminUsernames.includes(claims.username)) return "manager";
  if (grant !== undefined) return grant === "revoked" ? undefined : grant;
  const given = role.safeParse(claims.role);
  return given.success ? given.data : undefined;
}
