import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Request, Response } from "express";
import { z } from "zod";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Client } from "../../../../infra/postgres/pool.ts";
import { StripeRefusal } from "./intents.ts";
import type { Ledger } from "./ledger.ts";

/** A change within its transaction. A bank's refusal changes the intent, so it is returned, not thrown. */
type Change = (client: Client) => Promise<Omit<Answer, "replayed">>;

export type Changing = (request: Request, response: Response, change: Change) => Promise<void>;

export const ok = (body: JsonObject): Omit<Answer, "replayed"> => ({ status: 200, body });

/** Handles a POST: one transaction, once per idempotency key. */
export const createChanging =
  (ledger: Ledger, newId: () => string): Changing =>
  async (request, response, change) => {
    const key = request.get("idempotency-key") ?? newId();
    const asked = { path: request.path, body: z.json().parse(request.body ?? {}) };
    const answer = await ledger.transaction((client) => once(client, key, asked, () => change(client)));
    if (answer.replayed) response.set("Idempotent-Replayed", "true");
    response.set("Idempotency-Key", key).status(answer.status).json(answer.body);
  };

/** @throws StripeRefusal (400) naming the first invalid field */
export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StripeRefusal(400, `Invalid ${issue?.path.join(".")}: ${issue?.message}`, {
    code: "parameter_invalid",
  });
}

export const idOf = (request: Request): string => z.string().parse(request.params.id);

export const paging = z.object({ limit: z.coerce.number().int().min(1).max(100).default(10) });

type Answer = { status: number; body: JsonObject; replayed: boolean };

/**
 * Runs once per key, within the caller's transaction: a repeat gets the first answer. Requests with the same key queue
 * for a lock.
 * @throws StripeRefusal (idempotency_error) for another request under the same key
 */
async function once(
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
