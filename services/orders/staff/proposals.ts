import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import type { OrderState } from "../../../domain/order/state.ts";
import type { DisputeOutcome } from "../../../domain/order/vocabulary.ts";
import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import { PaymentsRefused, type ProviderDispute } from "../../providers/stripe/payments.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { assertAcceptable, type OnBehalf, type OrderResult } from "../orders.ts";
import { recordDispute } from "../payments/returns.ts";
import { typedCommand } from "../personal-data.ts";

/**
 * Amount and payment to refund. `approvalAbovePence` is the limit from the settings; null if one person decides alone.
 */
type RefundWish = {
  readonly intentId: string;
  readonly amountPence: number;
  readonly approvalAbovePence: number | null;
};

/**
 * Refunds by a staff decision: at once up to the limit, above it after a second person's approval. Earlier staff
 * refunds of the same order count towards the limit.
 * @throws Refused `dispute-open`, `above-captured`
 */
export const proposeRefund = (
  deps: OrderDependencies,
  orderId: string,
  { approvalAbovePence, ...wanted }: RefundWish,
  act: StaffAct,
): Promise<OrderResult> => {
  const data = { ...wanted, reason: "staffDecision" } as const;
  return deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, "refund", act),
    by: behalfOfStaff(act),
    // The limit is not part of the request: a repeat after it was changed is still a repeat.
    fingerprint: () => fingerprintOf({ type: "RequestRefund", data }),
    command: { type: "RequestRefund", data: { ...data, approvalAbovePence } },
  });
};

/**
 * Carries out a colleague's proposal (a refund, a bank transfer, the outcome of a dispute), as the second person.
 * @throws Refused `second-person-needed` for its proposer, `proposal-declined`, `no-such-proposal`, and the refusals of
 * the proposed action
 */
export const approveProposal = (
  deps: OrderDependencies,
  orderId: string,
  proposal: number,
  act: StaffAct,
): Promise<OrderResult> => settle(deps, orderId, "ApproveProposal", proposal, act);

/** Declines a proposal; its proposer may do so too. @throws Refused `proposal-approved`, `no-such-proposal` */
export const declineProposal = (
  deps: OrderDependencies,
  orderId: string,
  proposal: number,
  act: StaffAct,
): Promise<OrderResult> => settle(deps, orderId, "DeclineProposal", proposal, act);

const settle = (
  deps: OrderDependencies,
  orderId: string,
  type: "ApproveProposal" | "DeclineProposal",
  proposal: number,
  act: StaffAct,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, type, act),
    by: behalfOfStaff(act),
    command: { type, data: { proposal } },
  });

/**
 * A transfer in place of a card refund. `reference` is the one given to the bank; empty once the contact data is
 * destroyed.
 */
type BankTransfer = RefundWish & { readonly reference: string };

/**
 * Records a bank transfer by staff after a failed card refund: at once up to the limit, above it after a second
 * person's approval. Recorded before it is made: of two people, one is refused before money moves. The reference is
 * contact data, sealed and destroyed with it.
 * @throws Refused `no-failed-refund`, `refund-open`, `dispute-open`, `above-captured`, `reference-missing`,
 * `contact-purged`
 */
export function recordBankTransfer(
  deps: OrderDependencies,
  orderId: string,
  { reference, approvalAbovePence, ...transfer }: BankTransfer,
  act: StaffAct,
): Promise<OrderResult> {
  const commandOf = (referenceRef: string | null): OrderCommand => ({
    type: "RecordBankTransfer",
    data: { ...transfer, referenceRef, approvalAbovePence },
  });
  const by = behalfOfStaff(act);
  const commandId = staffCommandId(deps, orderId, "bank-transfer", act);
  // The limit is not part of the request: a repeat after it was changed is still a repeat.
  const body = { ...transfer, reference };
  if (reference === "") {
    const fingerprint = () => fingerprintOf({ type: "RecordBankTransfer", data: body });
    return deps.orders.execute({ orderId, commandId, by, fingerprint, command: commandOf(null) });
  }
  return deps.orders.execute({
    orderId,
    by,
    ...typedCommand<OrderState, OrderCommand>(deps, {
      subject: orderId,
      commandId,
      repeatable: act.idempotencyKey !== undefined,
      body,
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal("bankTransfer", "contact", { reference })),
    }),
  });
}

/**
 * Records a returned bank transfer: the money is owed again, and only staff can refund it.
 * @throws Refused `no-such-transfer`
 */
export const recordBankTransferReturn = (
  deps: OrderDependencies,
  orderId: string,
  transfer: number,
  act: StaffAct,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, "bank-transfer-return", act),
    by: behalfOfStaff(act),
    command: { type: "RecordBankTransferReturn", data: { transfer } },
  });

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
  const loaded = await deps.orders.load(orderId);
  if (!(await deps.orders.knows(orderId, commandId))) {
    // Refuse before asking the provider.
    assertAcceptable(loaded, { command, commandId, by, at: deps.now() });
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
