import type { Express } from "express";
import { z } from "zod";
import type { Pool } from "../../../../../infra/postgres/pool.ts";
import { type Changing, idOf, ok, paging, parse } from "../answering.ts";
import type { Ledger } from "../ledger.ts";
import { disputeJson, listJson } from "../presenting.ts";
import { listDisputes, readDispute } from "./disputes.ts";

const disputePaging = paging.extend({ payment_intent: z.string().optional() });

/** Disputes: read, list, and close, which accepts the loss. Opening one is up to the bank: see dispute-control.ts. */
export function addDisputeRoutes(
  app: Express,
  { pool, ledger, change }: { pool: Pool; ledger: Ledger; change: Changing },
): void {
  app.get("/v1/disputes", async (request, response) => {
    const { limit, payment_intent } = parse(disputePaging, request.query);
    const disputes = await listDisputes(pool, limit, payment_intent ?? null);
    response.json(listJson(request.path, disputes.map(disputeJson), limit));
  });
  app.get("/v1/disputes/:id", async (request, response) => {
    response.json(disputeJson(await readDispute(pool, idOf(request))));
  });
  app.post("/v1/disputes/:id/close", (request, response) =>
    change(request, response, async (client) =>
      ok(disputeJson(await ledger.closeDispute(client, idOf(request), "lost"))),
    ),
  );
}
