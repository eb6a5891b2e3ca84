import type { Express } from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { type Changing, idOf, ok, paging, parse } from "./answering.ts";
import type { Ledger } from "./ledger.ts";
import { listJson, refundJson } from "./presenting.ts";
import { listRefunds, readRefund } from "./refunds.ts";

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
