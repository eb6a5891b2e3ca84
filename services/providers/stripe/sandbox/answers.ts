import type { JsonObject } from "../../../../infra/json.ts";
import type { Client, Pool } from "../../../../infra/postgres/pool.ts";
import { StripeRefusal } from "./intents.ts";

export type Answer = { status: number; body: JsonObject };

/** A request under its idempotency key. The fingerprint tells it from others under the same key. */
export type Asked = { key: string; fingerprint: string };

export const ok = (body: JsonObject): Answer => ({ status: 200, body });

/** A change within its transaction. A bank's refusal changes the intent, so it is returned, not thrown. */
export type Change = (client: Client) => Promise<Answer>;

/**
 * Takes the key before it changes anything: a concurrent request under the same one waits until this transaction has
 * ended, and has the key if it was rolled back.
 */
export async function once(
  client: Client,
  { key, fingerprint }: Asked,
  change: Change,
): Promise<Answer | undefined> {
  const { rowCount } = await client.query(
    `insert into sandbox.answers (idempotency_key, fingerprint, status, body) values ($1, $2, 0, '{}')
     on conflict (idempotency_key) do nothing`,
    [key, fingerprint],
  );
  if (rowCount === 0) return undefined;
  const answer = await change(client);
  await client.query("update sandbox.answers set status = $2, body = $3 where idempotency_key = $1", [
    key,
    answer.status,
    answer.body,
  ]);
  return answer;
}

/** The answer under a key, if it has one. @throws StripeRefusal (idempotency_error) when another request has the key */
export async function findAnswer(pool: Pool, { key, fingerprint }: Asked): Promise<Answer | undefined> {
  const { rows } = await pool.query<Answer & { fingerprint: string }>(
    "select fingerprint, status, body from sandbox.answers where idempotency_key = $1",
    [key],
  );
  const [first] = rows;
  if (!first || first.fingerprint === fingerprint) return first;
  throw new StripeRefusal(
    400,
    "Keys for idempotent requests can only be used with the same parameters they were first used with.",
    { type: "idempotency_error" },
  );
}
