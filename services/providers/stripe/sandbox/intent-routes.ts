import type { Express } from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { type Changing, idOf, ok, paging, parse } from "./answering.ts";
import { answerOfToken } from "./cards/test-cards.ts";
import { listIntents, readIntent } from "./intents.ts";
import type { Ledger } from "./ledger.ts";
import { failureJson, intentJson, listJson } from "./presenting.ts";
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
