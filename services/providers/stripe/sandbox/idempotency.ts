import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Client } from "../../../../infra/postgres/pool.ts";
import { StripeRefusal } from "./refusal.ts";

export type Answer = { status: number; body: JsonObject; replayed: boolean };

/**
 * Does a thing once per key, within the caller's transaction: the same request again gets the first answer. Requests
 * with one key queue for a lock. @throws StripeRefusal (idempotency_error) for another request under the same key
 */
export async function once(
  client: Client,
  key: string,
  request: JsonObject,
  work: () => Promise<Omit<Answer, "replayed">>,
): Promise<Answer> {
  const fingerprint = createHash("sha256")
    .update(canonicalize(request) ?? "")
    .digest("hex");
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`sandbox ${key}`]);
  const { rows } = await client.query<{ fingerprint: string; status: number; body: JsonObject }>(
    "select fingerprint, status, body from sandbox.answers where idempotency_key = $1",
    [key],
  );
  const [first] = rows;
  if (!first) {
    const { status, body } = await work();
    await client.query(
      "insert into sandbox.answers (idempotency_key, fingerprint, status, body) values ($1, $2, $3, $4)",
      [key, fingerprint, status, body],
    );
    return { status, body, replayed: false };
  }
  if (first.fingerprint !== fingerprint) {
    throw new StripeRefusal(
      400,
      "Keys for idempotent requests can only be used with the same parameters they were first used with.",
      { type: "idempotency_error" },
    );
  }
  return { status: first.status, body: first.body, replayed: true };
}
