import type { OrderCommand } from "../../../domain/order/commands.ts";
import { decide } from "../../../domain/order/decide.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import type { DisputeOutcome } from "../../../domain/order/vocabulary.ts";
import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import { PaymentsRefused, type ProviderDispute } from "../../providers/stripe/payments.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { recordDispute } from "../payments/provider-reports.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/** A dispute's outcome, as known to staff. */
type KnownOutcome = {
  readonly disputeId: string;
  readonly outcome: DisputeOutcome;
  readonly approvalAbovePence: number | null;
};

/**
 * Records the outcome of a dispute that the provider leaves open: at once up to the limit, above it after a second
 * person's approval. The provider is asked first; an outcome it knows is recorded instead.
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
    // Refuse before asking the provider.
    decide(order, command, { ...by, commandId, at: deps.now().toISOString() });
    const closed = await closedByProvider(deps, orderId, known.disputeId, act);
    if (closed?.outcome === known.outcome) return closed.result;
    if (closed) throw forbidden(closed.result.order, "dispute-closed");
  }
  const fingerprint = () => fingerprintOf({ type: command.type, data: known });
  return deps.orders.execute({ orderId, commandId, by, fingerprint, command });
}

/** Records the provider's outcome of a dispute; undefined while it has none. */
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

/** Undefined if the provider no longer has the dispute. */
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
