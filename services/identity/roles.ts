import { z } from "zod";

/** `staff` works on orders, `manager` decides besides, `compliance` reads and commands nothing. */
export const role = z.enum(["staff", "manager", "compliance"]);
export type Role = z.infer<typeof role>;

/**
 * The role of a verified session. Names listed in ADMIN_USERNAMES are managers whatever their token says; they are compared whole,
 * because part of a name is anybody's to choose.
 */
export function roleOf(
  claims: { username?: string | undefined; role?: unknown },
  adminUsernames: readonly string[],
): Role | undefined {
  if (claims.username !== undefined && adminUsernames.includes(claims.username)) return "manager";
  const given = role.safeParse(claims.role);
  return given.success ? given.data : undefined;
}
