import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { type Answer, type Asked, type Change, findAnswer, once } from "./answers.ts";
import { StripeRefusal } from "./intents.ts";
import type { Ledger } from "./ledger.ts";

/** Acts and stores the answer, in one transaction. @returns undefined when the key has an answer already */
type Act = (asked: Asked) => Promise<Answer | undefined>;

export type Answering = (request: Request, response: Response, act: Act) => Promise<void>;

export type Changing = (request: Request, response: Response, change: Change) => Promise<void>;

/** Handles a POST once per idempotency key: a repeat gets the first answer. */
export const createAnswering =
  (pool: Pool, newId: () => string): Answering =>
  async (request, response, act) => {
    const asked = askedBy(request, newId);
    const fresh = await act(asked).catch(async (error: unknown) => {
      // That another request has the key is said first, whatever else is wrong with this one.
      if (error instanceof StripeRefusal) await findAnswer(pool, asked);
      throw error;
    });
    const answer = fresh ?? (await findAnswer(pool, asked));
    if (!answer) throw new Error("A key that is taken has an answer.");
    const { status, body } = answer;
    if (!fresh) response.set("Idempotent-Replayed", "true");
    response.set("Idempotency-Key", asked.key).status(status).json(body);
  };

/** The same for a change of several statements. */
export const createChanging =
  (ledger: Ledger, answering: Answering): Changing =>
  (request, response, change) =>
    answering(request, response, (asked) => ledger.transaction((client) => once(client, asked, change)));

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

function askedBy(request: Request, newId: () => string): Asked {
  const asked = { path: request.path, body: z.json().parse(request.body ?? {}) };
  const fingerprint = createHash("sha256")
    .update(canonicalize(asked) ?? "")
    .digest("hex");
  return { key: request.get("idempotency-key") ?? newId(), fingerprint };
}
