import { PaymentsRefused, type ProviderDispute } from "../../../services/providers/stripe/payments.ts";
import { createMemoryPayments, type MemoryPayments } from "../../../testing/providers/memory-payments.ts";

/** The bank's own view of a dispute, which the provider may never learn. */
type Disputed = Omit<ProviderDispute, "intentId"> & { readonly intentId: string };

/** The card provider, and the cardholders' bank behind it. */
export type Bank = MemoryPayments & {
  readonly disputes: ReadonlyMap<string, Disputed>;
  /** A cardholder disputes what is left of a payment. @returns false if nothing is, or it is disputed already */
  dispute(disputeId: string, intentId: string): Promise<boolean>;
  /** Someone refunds in the provider's dashboard. @returns false if less is left of the payment, or it is disputed */
  refundByHand(refundId: string, intentId: string, amountPence: number): Promise<boolean>;
  /** @param isTold whether the provider learns of the outcome */
  decide(disputeId: string, outcome: NonNullable<Disputed["outcome"]>, isTold: boolean): void;
};

/**
 * Refuses refunds of more than is left, and of a payment that is disputed or was charged back, as Stripe does: from then
 * on every call under the same key, one that arrives late among them.
 */
export function createBank(): Bank {
  const payments = createMemoryPayments();
  const disputes = new Map<string, Disputed>();
  const refused = new Set<string>();
  const isHeldUp = (intentId: string) =>
    [...disputes.values()].some(
      (dispute) => dispute.intentId === intentId && (!dispute.outcome || dispute.outcome === "lost"),
    );
  const leftOf = async (intentId: string) => {
    const { amountPence: paid } = await payments.retrieveIntent(intentId);
    const refunds = await payments.refundsOf(intentId);
    return refunds.reduce((left, refund) => left - refund.amountPence, paid);
  };
  return {
    ...payments,
    disputes,
    refund: async (wanted) => {
      const earlier = await payments.refundsOf(wanted.intentId);
      const isMade = earlier.some(({ refundId }) => refundId === wanted.refundId);
      const isTooMuch = wanted.amountPence > (await leftOf(wanted.intentId));
      if (!isMade && (isTooMuch || isHeldUp(wanted.intentId))) refused.add(wanted.refundId);
      if (refused.has(wanted.refundId)) throw new PaymentsRefused("invalid");
      return payments.refund(wanted);
    },
    dispute: async (disputeId, intentId) => {
      const amountPence = await leftOf(intentId);
      if (amountPence <= 0 || isHeldUp(intentId)) return false;
      const dispute: Disputed = {
        id: disputeId,
        intentId,
        amountPence,
        reason: "general",
        outcome: undefined,
      };
      disputes.set(disputeId, dispute);
      payments.setDispute(dispute);
      return true;
    },
    refundByHand: async (id, intentId, amountPence) => {
      if (amountPence > (await leftOf(intentId)) || isHeldUp(intentId)) return false;
      const made = { id, intentId, amountPence, refundId: undefined };
      payments.addRefund({ ...made, status: "succeeded", failureCode: undefined });
      return true;
    },
    decide: (disputeId, outcome, isTold) => {
      const open = disputes.get(disputeId);
      if (!open) return;
      const decided: Disputed = { ...open, outcome };
      disputes.set(disputeId, decided);
      if (isTold) payments.setDispute(decided);
    },
  };
}
