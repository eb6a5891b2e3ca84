import type { OrderCommand } from "../../../domain/order/commands.ts";
import { decide } from "../../../domain/order/decide.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import type { DisputeOutcome } from "../../../domain/order/vocabulary.ts";
import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import { PaymentsRefused, type ProviderDispute } from "../../providers/stripe/payments.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
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
  deps: OrderDependencies,
  orderId: string,
  { approvalAbovePence, ...known }: KnownOutcome,
  act: StaffAct,
): Promise<OrderResult> {
  const by = behalfOfStaff(act);
  const commandId = staffCommandId(deps, orderId, "dispute-outcome", act);
  const command: OrderCommand = { type: "RecordDisputeOutcome", data: { ...known, approvalAbovePence } };
  if (!(await deps.orders.knows(orderId, commandId))) {
    const { order } = await deps.orders.load(orderId);
    // What would be refused need not be asked about.
    decide(order, command, { ...by, commandId, at: deps.now().toISOString() });
    const closed = await closedByProvider(deps, orderId, known.disputeId, act);
    if (closed?.outcome === known.outcome) return closed.result;
    if (closed) throw forbidden(closed.result.order, "dispute-closed");
  }
  const fingerprint = () => fingerprintOf({ type: command.type, data: known });
  return deps.orders.execute({ orderId, commandId, by, fingerprint, command });
}

/** Records what the provider knows of a dispute; undefined while it knows no outcome. */
async function closedByProvider(
  deps: OrderDependencies,
  orderId: string,
  disputeId: string,
  { correlationId }: StaffAct,
): Promise<{ readonly result: OrderResult; readonly outcome: DisputeOutcome } | undefined> {
  const dispute = await disputeAtProvider(deps, disputeId);
  if (dispute?.outcome === undefined) return undefined;
  const by: OnBehalf = { actor: { kind: "system", id: "reconciliation" }, correlationId };
  const result = await recordDispute(deps, orderId, dispute.intentId ?? "", dispute, by);
  return { result, outcome: dispute.outcome };
}

/** Undefined where the provider itself has no such dispute any more. */
async function disputeAtProvider(
  deps: OrderDependencies,
  disputeId: string,
): Promise<ProviderDispute | undefined> {
  try {
    return await deps.payments.retrieveDispute(disputeId);
  } catch (error) {
    if (error instanceof PaymentsRefused && error.code === "notFound") return undefined;
    throw error;
  }
}
