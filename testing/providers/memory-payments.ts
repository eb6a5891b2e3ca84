import { createHmac } from "node:crypto";
import { intentKey } from "../../domain/order/payment/provider-keys.ts";
import {
  type Intent,
  type PaymentNotice,
  type Payments,
  PaymentsRefused,
  PaymentsUnavailable,
  type ProviderDispute,
  type ProviderRefund,
  WebhookRefused,
} from "../../services/providers/stripe/payments.ts";

/** A fake payment provider: keeps intents and refunds in memory, and acts as customer or bank for a test. */
export type MemoryPayments = Payments & {
  readonly intents: ReadonlyMap<string, Intent>;
  calls: number;
  /** While true it is unreachable. */
  down: boolean;
  /** Changes an intent, as an external event would. */
  change(intentId: string, change: Partial<Intent>): void;
  /** Adds an intent that we did not ask for. */
  put(intent: Intent): void;
  addRefund(refund: ProviderRefund): void;
  /** Sets a dispute's current state. */
  setDispute(dispute: ProviderDispute): void;
  /** A webhook notice that was never delivered. */
  lose(notice: PaymentNotice, at: Date): void;
  /** A notice and its signature, as delivered. */
  sign(notice: PaymentNotice): { body: string; signature: string };
};

const lostPageSize = 3;
const secret = "webhook-secret-of-a-test";
const signatureOf = (body: Buffer | string) => createHmac("sha256", secret).update(body).digest("hex");

export function createMemoryPayments(): MemoryPayments {
  const intents = new Map<string, Intent>();
  const refunds: ProviderRefund[] = [];
  const lost: { notice: PaymentNotice; at: Date }[] = [];
  const disputes = new Map<string, ProviderDispute>();
  const find = (intentId: string): Intent => {
    const intent = intents.get(intentId);
    if (!intent) throw new PaymentsRefused("notFound");
    return intent;
  };
  const change = (intentId: string, changed: Partial<Intent>): Intent => {
    const intent = { ...find(intentId), ...changed };
    intents.set(intentId, intent);
    return intent;
  };
  const asked = async <T>(answer: () => T): Promise<T> => {
    provider.calls += 1;
    if (provider.down) throw new PaymentsUnavailable("Taken down by the test.");
    return answer();
  };
  const provider: MemoryPayments = {
    intents,
    calls: 0,
    down: false,
    change: (intentId, changed) => void change(intentId, changed),
    put: (intent) => void intents.set(intent.id, intent),
    setDispute: (dispute) => void disputes.set(dispute.id, dispute),
    addRefund: (refund) => void refunds.push(refund),
    lose: (notice, at) => void lost.unshift({ notice, at }),
    sign: (notice) => {
      const body = JSON.stringify(notice);
      return { body, signature: signatureOf(body) };
    },
    createIntent: ({ amountPence, attempt, ...payer }) =>
      asked(() => {
        const id = `pi_${intentKey(payer, attempt, amountPence)}`;
        const made: Intent = {
          id,
          status: "unpaid",
          amountPence,
          currency: "gbp",
          orderId: "orderId" in payer ? payer.orderId : undefined,
          checkoutId: "checkoutId" in payer ? payer.checkoutId : undefined,
          attempt,
          clientSecret: `${id}_secret`,
          failureCode: undefined,
        };
        const there = intents.get(id);
        if (there && there.amountPence !== amountPence) throw new PaymentsRefused("otherBodyUnderSameKey");
        if (!there) intents.set(id, made);
        return there ?? made;
      }),
    retrieveIntent: (intentId) => asked(() => find(intentId)),
    cancelIntent: (intentId) =>
      asked(() =>
        find(intentId).status === "unpaid" ? change(intentId, { status: "cancelled" }) : find(intentId),
      ),
    intentsOf: (orderId) => asked(() => [...intents.values()].filter((intent) => intent.orderId === orderId)),
    refund: ({ refundId, intentId, amountPence }) =>
      asked(() => {
        const earlier = refunds.find((made) => made.refundId === refundId);
        if (earlier) return earlier;
        const made: ProviderRefund = {
          id: `re_${refundId}`,
          refundId,
          intentId,
          amountPence,
          status: "succeeded",
          failureCode: undefined,
        };
        refunds.push(made);
        return made;
      }),
    refundsOf: (intentId) => asked(() => refunds.filter((refund) => refund.intentId === intentId)),
    retrieveDispute: (disputeId) =>
      asked(() => {
        const dispute = disputes.get(disputeId);
        if (!dispute) throw new PaymentsRefused("notFound");
        return dispute;
      }),
    undeliveredNotices: ({ from, until }, after) =>
      asked(() => {
        const within = lost.filter(({ at }) => at >= from && at < until).map(({ notice }) => notice);
        const start = after === undefined ? 0 : within.findIndex(({ eventId }) => eventId === after) + 1;
        const notices = within.slice(start, start + lostPageSize);
        const isLast = start + lostPageSize >= within.length;
        return { notices, next: isLast ? undefined : notices.at(-1)?.eventId };
      }),
    readWebhook: (rawBody, signature) => {
      if (signature !== signatureOf(rawBody))
        throw new WebhookRefused("The test's signature does not match.");
      return JSON.parse(rawBody.toString("utf8"));
    },
  };
  return provider;
}
