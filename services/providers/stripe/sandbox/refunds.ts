import type { Client, Pool } from "../../../../infra/postgres/pool.ts";
import { hasOpenDispute } from "./disputes/disputes.ts";
import { type Intent, StripeRefusal } from "./intents.ts";

/** A refund as Stripe would store it. Amount in pence. */
export type Refund = {
  id: string;
  intentId: string;
  amount: number;
  status: "succeeded" | "failed";
  failureReason: string | null;
  metadata: Readonly<Record<string, string>>;
  createdAt: Date;
};

const columns = `id, intent_id as "intentId", amount, status, failure_reason as "failureReason", metadata,
  created_at as "createdAt"`;

/** Newest first, of one intent or of all. */
export async function listRefunds(
  pool: Pool | Client,
  limit: number,
  intentId: string | null,
): Promise<Refund[]> {
  const { rows } = await pool.query<Refund>(
    `select ${columns} from sandbox.refunds
     where $1::text is null or intent_id = $1 order by created_at desc, id limit $2`,
    [intentId, limit],
  );
  return rows;
}

/** @throws StripeRefusal (404) when there is none */
export async function readRefund(pool: Pool, id: string): Promise<Refund> {
  const { rows } = await pool.query<Refund>(`select ${columns} from sandbox.refunds where id = $1`, [id]);
  const [refund] = rows;
  if (!refund) throw new StripeRefusal(404, "No such refund.", { code: "resource_missing" });
  return refund;
}

/**
 * Refunds, within a transaction that holds the intent's lock.
 * @throws StripeRefusal when the intent was never paid or less than the amount remains of it
 */
export async function addRefund(client: Client, intent: Intent, refund: Refund): Promise<void> {
  if (intent.status !== "succeeded") {
    throw new StripeRefusal(400, "This PaymentIntent does not have a successful charge to refund.");
  }
  if (await hasOpenDispute(client, intent.id)) {
    throw new StripeRefusal(400, "This charge is disputed and cannot be refunded.", {
      code: "charge_disputed",
    });
  }
  const earlier = await listRefunds(client, 1_000, intent.id);
  const refunded = earlier
    .filter(({ status }) => status !== "failed")
    .reduce((sum, { amount }) => sum + amount, 0);
  const left = intent.amount - refunded;
  if (left === 0) {
    throw new StripeRefusal(400, "This charge has already been refunded.", {
      code: "charge_already_refunded",
    });
  }
  if (refund.amount > left) {
    throw new StripeRefusal(400, `The refund is greater than the unrefunded amount (${left}).`);
  }
  await client.query(
    `insert into sandbox.refunds (id, intent_id, amount, status, failure_reason, metadata, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      refund.id,
      refund.intentId,
      refund.amount,
      refund.status,
      refund.failureReason,
      refund.metadata,
      refund.createdAt,
    ],
  );
}
