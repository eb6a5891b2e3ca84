import type { Express } from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { type Changing, idOf, ok, paging, parse } from "./answering.ts";
import { answerOfToken } from "./cards/test-cards.ts";
import { listIntents, readIntent } from "./intents.ts";
import type { Ledger } from "./ledger.ts";
import { failureJson, intentJson, listJson, refundJson } from "./presenting.ts";
import { listRefunds, readRefund } from "./refunds.ts";
import { StripeRefusal } from "./refusal.ts";

const newIntent = z.object({
  amount: z.coerce.number().int().min(30).max(99_999_999),
  currency: z.literal("gbp"),
  metadata: z.record(z.string(), z.string()).default({}),
});
const confirmation = z.object({ payment_method: z.string(), return_url: z.url().optional() });
const search = paging.extend({ query: z.string() });

/** Payment intents: create, read, list, search by one metadata field, confirm, cancel. */
export function addIntentRoutes(
  app: Express,
  { pool, ledger, change }: { pool: Pool; ledger: Ledger; change: Changing },
): void {
  app.post("/v1/payment_intents", (request, response) =>
    change(request, response, async (client) =>
      ok(intentJson(await ledger.open(client, parse(newIntent, request.body)))),
    ),
  );
  app.get("/v1/payment_intents", async (request, response) => {
    const { limit } = parse(paging, request.query);
    response.json(listJson(request.path, (await listIntents(pool, limit)).map(intentJson), limit));
  });
  app.get("/v1/payment_intents/search", async (request, response) => {
    const { limit, query } = parse(search, request.query);
    const [, name, value] = /^metadata\[["'](\w+)["']\]:["']([\w-]+)["']$/.exec(query) ?? [];
    if (name === undefined || value === undefined) {
      throw new StripeRefusal(400, "The sandbox searches for one metadata field only.");
    }
    const found = await listIntents(pool, limit, { name, value });
    response.json({
      ...listJson(request.path, found.map(intentJson), limit),
      object: "search_result",
      next_page: null,
    });
  });
  app.get("/v1/payment_intents/:id", async (request, response) => {
    response.json(intentJson(await readIntent(pool, idOf(request))));
  });
  app.post("/v1/payment_intents/:id/confirm", (request, response) =>
    change(request, response, async (client) => {
      const { payment_method, return_url } = parse(confirmation, request.body);
      const bank = answerOfToken(payment_method);
      if (!bank) throw new StripeRefusal(404, "No such PaymentMethod.", { code: "resource_missing" });
      const intent = await ledger.charge(client, idOf(request), bank, return_url ?? null);
      if (!intent.failure) return ok(intentJson(intent));
      return {
        status: 402,
        body: { error: { ...failureJson(intent.failure), payment_intent: intentJson(intent) } },
      };
    }),
  );
  app.post("/v1/payment_intents/:id/cancel", (request, response) =>
    change(request, response, async (client) => ok(intentJson(await ledger.cancel(client, idOf(request))))),
  );
}

const newRefund = z.object({
  payment_intent: z.string(),
  amount: z.coerce.number().int().min(1).optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});
const refundPaging = paging.extend({ payment_intent: z.string().optional() });

/** Refunds: create, read, list of one intent or of all. */
export function addRefundRoutes(
  app: Express,
  { pool, ledger, change }: { pool: Pool; ledger: Ledger; change: Changing },
): void {
  app.post("/v1/refunds", (request, response) =>
    change(request, response, async (client) => {
      const { payment_intent: intentId, amount, metadata } = parse(newRefund, request.body);
      return ok(refundJson(await ledger.refund(client, { intentId, amount, metadata })));
    }),
  );
  app.get("/v1/refunds", async (request, response) => {
    const { limit, payment_intent } = parse(refundPaging, request.query);
    const refunds = await listRefunds(pool, limit, payment_intent ?? null);
    response.json(listJson(request.path, refunds.map(refundJson), limit));
  });
  app.get("/v1/refunds/:id", async (request, response) => {
    response.json(refundJson(await readRefund(pool, idOf(request))));
  });
}
