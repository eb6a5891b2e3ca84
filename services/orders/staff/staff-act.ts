import type { StaffReason } from "../../../domain/decider.ts";
import { clientCommandId } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf } from "../orders.ts";

/** An action by staff, with its reason and the revision they saw. */
export type StaffAct = {
  /** Recorded in the log; opaque. */
  readonly by: { readonly userId: string };
  readonly reason: StaffReason;
  /** The order's revision they saw; refused if it has changed since. */
  readonly expectedRevision?: number | undefined;
  /** The browser's idempotency key: a repeat gets the first result. */
  readonly idempotencyKey?: string | undefined;
  readonly correlationId: string;
};

export const behalfOfStaff = ({ by, reason, expectedRevision, correlationId }: StaffAct): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
  reason,
  ...(expectedRevision !== undefined && { expectedRevision }),
});

/** For the next command of an action with several: the action itself has changed the revision. */
export const goingOn = ({ expectedRevision: _, ...by }: OnBehalf): OnBehalf => by;

/** The id of an action's command: the same when one person repeats an action on an order. */
export function staffCommandId(
  deps: Pick<OrderDependencies, "deriveId" | "newId">,
  orderId: string,
  action: string,
  { by, idempotencyKey }: StaffAct,
): string {
  const key = staffKey(orderId, action, by.userId, idempotencyKey);
  return clientCommandId(deps.deriveId, deps.newId, key);
}

/** An action's key, for use cases shared with customers. */
export const staffKey = (orderId: string, action: string, userId: string, key: string | undefined) =>
  key === undefined ? undefined : { scope: `staff-${action}-${orderId}-${userId}`, key };
