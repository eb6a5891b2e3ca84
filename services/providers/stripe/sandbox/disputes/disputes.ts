import type { Client, Pool } from "../../../../../infra/postgres/pool.ts";
import { type Intent, StripeRefusal } from "../intents.ts";

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

const columns = `id, intent_id as "intentId", amount, reason, status, created_at as "createdAt"`;

/** Newest first, of one intent or of all. */
export async function listDisputes(
  pool: Pool | Client,
  limit: number,
  intentId: string | null,
): Promise<Dispute[]> {
  const { rows } = await pool.query<Dispute>(
    `select ${columns} from sandbox.disputes
     where $1::text is null or intent_id = $1 order by created_at desc, id limit $2`,
    [intentId, limit],
  );
  return rows;
}

/** @throws StripeRefusal (404) when there is none */
export async function readDispute(pool: Pool | Client, id: string): Promise<Dispute> {
  const { rows } = await pool.query<Dispute>(`select ${columns} from sandbox.disputes where id = $1`, [id]);
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
    `update sandbox.disputes set status = $2 where id = $1 and status = 'needs_response' returning ${columns}`,
    [id, status],
  );
  const [dispute] = rows;
  if (dispute) return dispute;
  await readDispute(client, id);
  throw new StripeRefusal(400, "This dispute is already closed.");
}

/** True while undecided: until then the charge cannot be refunded. */
export const hasOpenDispute = async (client: Client, intentId: string): Promise<boolean> =>
  (await listDisputes(client, 100, intentId)).some(({ status }) => status === "needs_response");
