import type { OnBehalf } from "../../command-bus.ts";
import type { Writing } from "../../tickets/write-in-ticket.ts";
import { keyFor } from "../handlers/behalf.ts";
import type { Parts } from "../parts.ts";
import type { StaffCall } from "../route.ts";
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
