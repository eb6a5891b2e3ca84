import type { Request, Response } from "express";
import { z } from "zod";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Client } from "../../../../infra/postgres/pool.ts";
import { type Answer, once } from "./idempotency.ts";
import type { Ledger } from "./ledger.ts";
import { StripeRefusal } from "./refusal.ts";

/** What a change does within its transaction. A bank's refusal changes the intent, so it is an answer and no throw. */
export type Change = (client: Client) => Promise<Omit<Answer, "replayed">>;

export type Changing = (request: Request, response: Response, change: Change) => Promise<void>;

export const ok = (body: JsonObject): Omit<Answer, "replayed"> => ({ status: 200, body });

/** Answers a POST: one transaction, done once per idempotency key. */
export const createChanging =
  (ledger: Ledger, newId: () => string): Changing =>
  async (request, response, change) => {
    const key = request.get("idempotency-key") ?? newId();
    const asked = { path: request.path, body: z.json().parse(request.body ?? {}) };
    const answer = await ledger.transaction((client) => once(client, key, asked, () => change(client)));
    if (answer.replayed) response.set("Idempotent-Replayed", "true");
    response.set("Idempotency-Key", key).status(answer.status).json(answer.body);
  };

/** @throws StripeRefusal (400) naming the first field that is wrong */
export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StripeRefusal(400, `Invalid ${issue?.path.join(".")}: ${issue?.message}`, {
    code: "parameter_invalid",
  });
}

/** The `:id` of a path. */
export const idOf = (request: Request): string => z.string().parse(request.params.id);

/** How many entries a list is asked for. */
export const paging = z.object({ limit: z.coerce.number().int().min(1).max(100).default(10) });
