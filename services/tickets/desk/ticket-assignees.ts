import type { StaffMember } from "../../gateway/guards/authorize.ts";
import type { Parts } from "../../gateway/parts.ts";

/** Whom somebody can give a ticket to, by user id: themselves, then who was made staff or manager in the settings. */
export function assignableBy(
  { settings }: Pick<Parts, "settings">,
  { userId }: StaffMember,
): readonly string[] {
  const others = [...settings.current().grants]
    .filter(([id, grant]) => id !== userId && (grant === "staff" || grant === "manager"))
    .map(([id]) => id);
  return [userId, ...others];
}
