import { z } from "zod";
import { type Grant, type StaffRole, staffRole } from "../../domain/settings/vocabulary.ts";

export const role = staffRole;
export type Role = StaffRole;

/** Where a token claims a role: the provider's public metadata, which only whoever runs the installation may write. */
const claimedRole = z.object({ role });

/**
 * The role of a verified session: a name listed in ADMIN_USERNAMES before a revocation, before a grant, before the token's own claim.
 * Names are compared whole, because part of a name is anybody's to choose.
 * @param claims.metadata `{ role }`; anything else, as of a user who was given none, claims nothing
 */
export function roleOf(
  claims: { username?: string | undefined; metadata?: unknown },
  adminUsernames: readonly string[],
  grant?: Grant,
): Role | undefined {
  if (claims.username !== undefined && adminUsernames.includes(claims.username)) return "manager";
  if (grant !== undefined) return grant === "revoked" ? undefined : grant;
  const given = claimedRole.safeParse(claims.metadata);
  return given.success ? given.data.role : undefined;
}
