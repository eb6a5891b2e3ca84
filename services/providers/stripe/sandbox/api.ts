import { timingSafeEqual } from "node:crypto";
import type { ErrorRequestHandler, Express } from "express";
import express from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import type { Log } from "../../../../infra/process/log.ts";
import { holdsNull, statusOfUnreadable } from "../../sandbox/unreadable-requests.ts";
import { type Changing, createChanging, idOf, ok, paging, parse } from "./answering.ts";
import { listDisputes, readDispute } from "./disputes/disputes.ts";
import { addEventRoutes } from "./event-routes.ts";
import { addIntentRoutes, addRefundRoutes } from "./intent-routes.ts";
import type { Ledger } from "./ledger.ts";
import { disputeJson, intentJson, listJson, refusalJson } from "./presenting.ts";
import { StripeRefusal } from "./refusal.ts";

/** The only version the sandbox supports: it refuses others as Stripe refuses unknown ones. */
const spokenVersion = "2026-10-28.endive";

/** The part of Stripe's HTTP API that the product's SDK calls. Requires the secret key. */
export function createStripeApi(parts: {
  pool: Pool;
  ledger: Ledger;
  secretKey: string;
  newId: () => string;
  log: Pick<Log, "error">;
}): Express {
  const { pool, ledger, secretKey, newId, log } = parts;
  const change = createChanging(ledger, newId);
  const app = express().disable("x-powered-by").disable("etag");
  // The SDK writes lists and ranges as `types[0]` and `created[gte]`.
  app.set("query parser", "extended");
  app.use((request, response, next) => {
    response.set("Request-Id", `req_${newId()}`);
    if (!isSame(request.get("authorization") ?? "", `Bearer ${secretKey}`)) {
      throw new StripeRefusal(401, "Invalid API Key provided.");
    }
    if (request.get("stripe-version") !== spokenVersion) {
      throw new StripeRefusal(400, `Invalid Stripe API version; the sandbox speaks ${spokenVersion}.`);
    }
    next();
  });
  app.use(express.urlencoded({ extended: true, limit: "32kb" }), (request, _response, next) => {
    if (holdsNull(request)) throw new StripeRefusal(400, "The request holds a null character.");
    next();
  });
  addIntentRoutes(app, { pool, ledger, change });
  addRefundRoutes(app, { pool, ledger, change });
  addDisputeRoutes(app, { pool, ledger, change });
  addEventRoutes(app, pool);
  app.use(() => {
    throw new StripeRefusal(404, "Unrecognized request URL.");
  });
  app.use(answerInStripesShape(log));
  return app;
}

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const answerInStripesShape =
  (log: Pick<Log, "error">): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    if (error instanceof StripeRefusal) {
      response.status(error.status).json(refusalJson(error, error.intent && intentJson(error.intent)));
      return;
    }
    const unreadable = statusOfUnreadable(error);
    if (unreadable !== undefined) {
      const refusal = new StripeRefusal(unreadable, "The request could not be understood.");
      response.status(unreadable).json(refusalJson(refusal, undefined));
      return;
    }
    log.error({ err: error }, "the payment sandbox failed");
    const fault = new StripeRefusal(500, "The sandbox could not answer.", { type: "api_error" });
    response.status(fault.status).json(refusalJson(fault, undefined));
  };

const disputePaging = paging.extend({ payment_intent: z.string().optional() });

/** Disputes: read, list, and close, which accepts the loss. Opening one is up to the bank: see dispute-control.ts. */
function addDisputeRoutes(
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
