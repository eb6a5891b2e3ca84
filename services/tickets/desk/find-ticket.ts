import { notFound } from "../../gateway/errors/problem.ts";
import type { Parts } from "../../gateway/parts.ts";
import { findCaughtUp } from "../../gateway/routing/find-caught-up.ts";
import type { StaffCall } from "../../gateway/routing/route.ts";

/** The ticket of the number in a call's path. @throws Problem 404 */
export async function ticketIdOf(parts: Parts, { request }: Pick<StaffCall, "request">): Promise<string> {
  const typed = String(request.params.ticketNumber);
  const found = await findCaughtUp(parts, () => parts.queries.lookUpTicket(typed));
  if (!found) throw notFound();
  return found.ticketId;
}
