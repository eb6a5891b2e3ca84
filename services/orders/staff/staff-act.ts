import type { StaffReason } from "../../../domain/decider.ts";
import { clientCommandId } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf } from "../orders.ts";

/** Who works here does something, why, and what they had before their eyes. */
export type StaffAct = {
  /** Their opaque id is what the log keeps. */
  readonly by: { readonly userId: string };
  readonly reason: StaffReason;
  /** The order's revision as they saw it: what has moved on since is refused. */
  readonly expectedRevision?: number | undefined;
  /** Their browser's key for this one act: a repeat gets the first result. */
  readonly idempotencyKey?: string | undefined;
  readonly correlationId: string;
};

/** On whose behalf an act is told. */
export const behalfOfStaff = ({ by, reason, expectedRevision, correlationId }: StaffAct): OnBehalf => ({
  actor: { kind: "staff", id: by.userId },
  correlationId,
  reason,
  ...(expectedRevision !== undefined && { expectedRevision }),
});

/** Continues an act of several commands: it has itself moved the order on since. */
export const goingOn = ({ expectedRevision: _, ...by }: OnBehalf): OnBehalf => by;

/** The id of an act's command: the same when the same person repeats the same act on the same order. */
export function staffCommandId(
  deps: Pick<OrderDependencies, "deriveId" | "newId">,
  orderId: string,
  action: string,
  { by, idempotencyKey }: StaffAct,
): string {
  const key = staffKey(orderId, action, by.userId, idempotencyKey);
  return clientCommandId(deps.deriveId, deps.newId, key);
}

/** The key of an act, for use-cases that customers have too. */
export const staffKey = (orderId: string, action: string, userId: string, key: string | undefined) =>
  key === undefined ? undefined : { scope: `staff-${action}-${orderId}-${userId}`, key };
