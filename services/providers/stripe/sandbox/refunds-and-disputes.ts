import type { Client, Pool } from "../../../../infra/postgres/pool.ts";
import { type Intent, StripeRefusal } from "./intents.ts";

/** Stripe reasons that a dispute can be opened with here. */
export const disputeReasons = [
  "fraudulent",
  "product_not_received",
  "duplicate",
  "credit_not_processed",
  "general",
] as const;

/** A dispute as Stripe would store it. Amount in pence. */
export type Dispute = {
  id: string;
  intentId: string;
  amount: number;
  reason: (typeof disputeReasons)[number];
  status: "needs_response" | "won" | "lost" | "warning_closed";
  createdAt: Date;
};

export const dispositions = ["won", "lost", "warning_closed"] as const;

const disputeColumns = `id, intent_id as "intentId", amount, reason, status, created_at as "createdAt"`;

/** Newest first, of one intent or of all. */
export async function listDisputes(
  pool: Pool | Client,
  limit: number,
  intentId: string | null,
): Promise<Dispute[]> {
  const { rows } = await pool.query<Dispute>(
    `select ${disputeColumns} from sandbox.disputes
     where $1::text is null or intent_id = $1 order by created_at desc, id limit $2`,
    [intentId, limit],
  );
  return rows;
}

/** @throws StripeRefusal (404) when there is none */
export async function readDispute(pool: Pool | Client, id: string): Promise<Dispute> {
  const { rows } = await pool.query<Dispute>(`select ${disputeColumns} from sandbox.disputes where id = $1`, [
    id,
  ]);
  const [dispute] = rows;
  if (!dispute) throw new StripeRefusal(404, "No such dispute.", { code: "resource_missing" });
  return dispute;
}

/**
 * Opens one, within a transaction that holds the intent's lock.
 * @throws StripeRefusal when nothing was paid, or it is already disputed
 */
export async function addDispute(client: Client, intent: Intent, dispute: Dispute): Promise<void> {
  if (intent.status !== "succeeded" || dispute.amount > intent.amount) {
    throw new StripeRefusal(400, "There is no such charge to dispute.");
  }
  if (await hasOpenDispute(client, intent.id)) {
    throw new StripeRefusal(400, "This charge is disputed already.");
  }
  await client.query(
    `insert into sandbox.disputes (id, intent_id, amount, reason, status, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [dispute.id, dispute.intentId, dispute.amount, dispute.reason, dispute.status, dispute.createdAt],
  );
}

/** @throws StripeRefusal when there is none, or it is decided */
export async function closeDispute(
  client: Client,
  id: string,
  status: (typeof dispositions)[number],
): Promise<Dispute> {
  const { rows } = await client.query<Dispute>(
    `update sandbox.disputes set status = $2 where id = $1 and status = 'needs_response' returning ${disputeColumns}`,
    [id, status],
  );
  const [dispute] = rows;
  if (dispute) return dispute;
  await readDispute(client, id);
  throw new StripeRefusal(400, "This dispute is already closed.");
}

/** True while undecided: until then the charge cannot be refunded. */
const hasOpenDispute = async (client: Client, intentId: string): Promise<boolean> =>
  (await listDisputes(client, 100, intentId)).some(({ status }) => status === "needs_response");

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

const refundColumns = `id, intent_id as "intentId", amount, status, failure_reason as "failureReason", metadata,
  created_at as "createdAt"`;

/** Newest first, of one intent or of all. */
export async function listRefunds(
  pool: Pool | Client,
  limit: number,
  intentId: string | null,
): Promise<Refund[]> {
  const { rows } = await pool.query<Refund>(
    `select ${refundColumns} from sandbox.refunds
     where $1::text is null or intent_id = $1 order by created_at desc, id limit $2`,
    [intentId, limit],
  );
  return rows;
}

/** @throws StripeRefusal (404) when there is none */
export async function readRefund(pool: Pool, id: string): Promise<Refund> {
  const { rows } = await pool.query<Refund>(`select ${refundColumns} from sandbox.refunds where id = $1`, [
    id,
  ]);
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
