import type { OnBehalf } from "../../command-bus.ts";
import { notFound } from "../../gateway/errors/problem.ts";
import type { StaffMember } from "../../gateway/guards/authorize.ts";
import { keyFor } from "../../gateway/guards/identify.ts";
import type { HandlerDependencies } from "../../gateway/parts.ts";
import { findCaughtUp } from "../../gateway/routing/read-after.ts";
import type { StaffCall } from "../../gateway/routing/route.ts";
import type { Writing } from "../write-in-ticket.ts";

/** The party on whose behalf a staff call is executed. */
export const workerOf = ({ by, correlationId }: Pick<StaffCall, "by" | "correlationId">): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
});

/** The common part of every action on a ticket. @throws Problem 404 */
export async function ticketWriting(
  dependencies: HandlerDependencies,
  call: StaffCall<{ expectedRevision: number }>,
  action: string,
): Promise<Omit<Writing, "text"> & { readonly seen: number }> {
  const ticketId = await ticketIdOf(dependencies, call);
  return {
    ticketId,
    // Scoped to the person: two people with the same key sent different requests.
    key: keyFor(`ticket-${action} ${ticketId} ${call.by.userId}`, call.idempotencyKey),
    by: workerOf(call),
    seen: call.body.expectedRevision,
  };
}

/** The ticket named in the path. @throws Problem 404 */
export async function ticketIdOf(
  dependencies: HandlerDependencies,
  { request }: Pick<StaffCall, "request">,
): Promise<string> {
  const typed = String(request.params.ticketNumber);
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookUpTicket(typed));
  if (!found) throw notFound();
  return found.ticketId;
}

/** User ids of possible assignees: the caller first, then staff and managers named in the settings. */
export function assignableBy(
  { settings }: Pick<HandlerDependencies, "settings">,
  { userId }: StaffMember,
): readonly string[] {
  const others = [...settings.current().grants]
    .filter(([id, grant]) => id !== userId && (grant === "staff" || grant === "manager"))
    .map(([id]) => id);
  return [userId, ...others];
}
