import { z } from "zod";
import { type Grant, type StaffRole, staffRole } from "../../domain/settings/vocabulary.ts";

export const role = staffRole;
export type Role = StaffRole;

/** A token's role claim: the provider's public metadata, which only its operator can write. */
const claimedRole = z.object({ role });

/**
 * The role of a verified session. A name in ADMIN_USERNAMES takes precedence over a revocation, then a grant, then the
 * token's own claim. Names are compared whole, because anyone can choose part of a name.
 * @param claims.metadata `{ role }`; anything else claims nothing
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
