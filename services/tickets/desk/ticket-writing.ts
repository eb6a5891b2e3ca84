import type { OnBehalf } from "../../command-bus.ts";
import type { Parts } from "../../gateway/parts.ts";
import { keyFor } from "../../gateway/routing/behalf.ts";
import type { StaffCall } from "../../gateway/routing/route.ts";
import type { Writing } from "../write-in-ticket.ts";
import { ticketIdOf } from "./find-ticket.ts";

/** On whose behalf a call of somebody who works here is done. */
export const workerOf = ({ by, correlationId }: Pick<StaffCall, "by" | "correlationId">): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
});

/** What every action on a ticket is told with, but for what it does. @throws Problem 404 */
export async function ticketWriting(
  parts: Parts,
  call: StaffCall<{ expectedRevision: number }>,
  action: string,
): Promise<Omit<Writing, "text"> & { readonly seen: number }> {
  const ticketId = await ticketIdOf(parts, call);
  return {
    ticketId,
    // Of one person: two who chose the same key did not send the same request.
    key: keyFor(`ticket-${action} ${ticketId} ${call.by.userId}`, call.idempotencyKey),
    by: workerOf(call),
    seen: call.body.expectedRevision,
  };
}
