import type { OrderCommand } from "../../../domain/order/commands.ts";
import { decide } from "../../../domain/order/decide.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import type { DisputeOutcome } from "../../../domain/order/vocabulary.ts";
import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import { PaymentsRefused, type ProviderDispute } from "../../providers/stripe/payments.ts";
import type { Desk } from "../dependencies.ts";
import type { OnBehalf, Told } from "../orders.ts";
import { recordDispute } from "../payments/record-dispute.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/** How a dispute ended, as staff know it. */
export type KnownOutcome = {
  readonly disputeId: string;
  readonly outcome: DisputeOutcome;
  readonly approvalAbovePence: number | null;
};

/**
 * Records how a dispute ended that the provider leaves open: at once up to the limit, above it once a second person has approved. The provider is asked
 * first: where it knows the outcome, that is recorded instead.
 * @throws Refused `no-such-dispute`, `dispute-closed`; PaymentsUnavailable while the provider cannot be asked
 */
export async function recordDisputeOutcome(
  desk: Desk,
  orderId: string,
  { approvalAbovePence, ...known }: KnownOutcome,
  act: StaffAct,
): Promise<Told> {
  const by = behalfOfStaff(act);
  const commandId = staffCommandId(desk, orderId, "dispute-outcome", act);
  const command: OrderCommand = { type: "RecordDisputeOutcome", data: { ...known, approvalAbovePence } };
  if (!(await desk.orders.knows(orderId, commandId))) {
    const { order } = await desk.orders.load(orderId);
    // What would be refused need not be asked about.
    decide(order, command, { ...by, commandId, at: desk.now().toISOString() });
    const closed = await closedByProvider(desk, orderId, known.disputeId, act);
    if (closed?.outcome === known.outcome) return closed.told;
    if (closed) throw forbidden(closed.told.order, "dispute-closed");
  }
  const fingerprint = () => fingerprintOf({ type: command.type, data: known });
  return desk.orders.tell({ orderId, commandId, by, fingerprint, command });
}

/** Records what the provider knows of a dispute; undefined while it knows no outcome. */
async function closedByProvider(
  desk: Desk,
  orderId: string,
  disputeId: string,
  { correlationId }: StaffAct,
): Promise<{ readonly told: Told; readonly outcome: DisputeOutcome } | undefined> {
  const dispute = await disputeAtProvider(desk, disputeId);
  if (dispute?.outcome === undefined) return undefined;
  const by: OnBehalf = { actor: { kind: "system", id: "reconciliation" }, correlationId };
  const told = await recordDispute(desk, orderId, dispute.intentId ?? "", dispute, by);
  return { told, outcome: dispute.outcome };
}

/** Undefined where the provider itself has no such dispute any more. */
async function disputeAtProvider(desk: Desk, disputeId: string): Promise<ProviderDispute | undefined> {
  try {
    return await desk.payments.retrieveDispute(disputeId);
  } catch (error) {
    if (error instanceof PaymentsRefused && error.code === "notFound") return undefined;
    throw error;
  }
}
