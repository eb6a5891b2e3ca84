import { timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import type { Log } from "../../../../infra/process/log.ts";
import type { Deliveries } from "../../sandbox/deliveries.ts";
import {
  holdsNull,
  type Listening,
  listen,
  refuseNull,
  statusOfUnreadable,
} from "../../sandbox/http-server.ts";
import { stripeApiVersion } from "../stripe-answers.ts";
import { type Changing, createAnswering, createChanging, idOf, paging, parse } from "./answering.ts";
import { ok } from "./answers.ts";
import { addEventRoutes, addIntentRoutes, addRefundRoutes } from "./api-routes.ts";
import { createCardServer } from "./card-server.ts";
import { readIntentOf, StripeRefusal } from "./intents.ts";
import { Ledger, type StripeBehaviour } from "./ledger.ts";
import { paymentControl } from "./payment-control.ts";
import { disputeJson, intentJson, listJson, publicIntent, refusalJson } from "./presenting.ts";
import { listDisputes, readDispute } from "./refunds-and-disputes.ts";

const behaviourChange = z
  .strictObject({ webhooks: z.enum(["ok", "hostile"]), refunds: z.enum(["ok", "fail"]) })
  .partial();
type BehaviourChange = z.infer<typeof behaviourChange>;

export type StripeSandbox = {
  /** Served by the product: the browser's script, an intent for the holder of its secret, and the controls. */
  routes: Router;
  behave: (change: BehaviourChange) => void;
  /** For the SDK; requires the secret key. */
  api: Express;
  cards: Express;
  start: () => Promise<Listening>;
  stop: () => Promise<void>;
};

/** The Stripe sandbox: its API for the SDK, its browser script, and card fields on a separate origin. */
export function createStripeSandbox(parts: {
  pool: Pool;
  deliveries: Deliveries;
  secretKey: string;
  publishableKey: string;
  cardHost: string;
  cardPort: number;
  cardOrigin: () => string;
  pageOrigins: () => readonly string[];
  behaviour: StripeBehaviour;
  latestMs: number;
  /** Guards the control routes. */
  fromHere: RequestHandler;
  now: () => Date;
  newId: () => string;
  random: () => number;
  log: Pick<Log, "error">;
}): StripeSandbox {
  const { pool, now, newId, log } = parts;
  let behaviour = parts.behaviour;
  const behave = ({ webhooks, refunds }: BehaviourChange): void => {
    behaviour = { webhooks: webhooks ?? behaviour.webhooks, refunds: refunds ?? behaviour.refunds };
  };
  const ledger = new Ledger({ ...parts, behaviour: () => behaviour });
  const api = createStripeApi({ pool, ledger, secretKey: parts.secretKey, newId, log });
  const { publishableKey, pageOrigins } = parts;
  const cards = createCardServer({ pool, ledger, publishableKey, pageOrigins, now, log });
  let card: Listening | undefined;

  const routes = Router();
  routes.use(browserRoutes(pool, parts.cardOrigin));
  routes.use(paymentControl({ pool, ledger, fromHere: parts.fromHere }));
  const readJson = [express.json({ limit: "4kb" }), refuseNull];
  routes.post("/stripe/behaviour", parts.fromHere, ...readJson, (request, response) => {
    const change = behaviourChange.safeParse(request.body);
    if (!change.success) return response.status(422).json({ issues: z.prettifyError(change.error) });
    behave(change.data);
    return response.json(behaviour);
  });

  return {
    routes,
    api,
    cards,
    behave,
    start: async () => {
      card = await listen(cards, parts.cardHost, parts.cardPort);
      return card;
    },
    stop: async () => {
      await card?.close();
      card = undefined;
    },
  };
}

/** Served from the product's origin: the script, and an intent for the holder of its secret. */
function browserRoutes(pool: Pool, cardOrigin: () => string): Router {
  const script = readFileSync(join(import.meta.dirname, "browser", "stripe.js"), "utf8");
  const routes = Router();
  routes.get("/stripe.js", (_request, response) => {
    response
      .type("text/javascript")
      .set("Cache-Control", "no-store")
      .send(script.replace("%CARD_ORIGIN%", cardOrigin()));
  });
  routes.get("/payment-intent", async (request, response) => {
    response.set("Cache-Control", "no-store");
    try {
      response.json(publicIntent(await readIntentOf(pool, request.get("client-secret") ?? "")));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      response.status(error.status).json(refusalJson(error, undefined));
    }
  });
  return routes;
}

/** The part of Stripe's HTTP API that the product's SDK calls. Requires the secret key. */
function createStripeApi(parts: {
  pool: Pool;
  ledger: Ledger;
  secretKey: string;
  newId: () => string;
  log: Pick<Log, "error">;
}): Express {
  const { pool, ledger, secretKey, newId, log } = parts;
  const answer = createAnswering(pool, newId);
  const change = createChanging(ledger, answer);
  const app = express().disable("x-powered-by").disable("etag");
  // The SDK writes lists and ranges as `types[0]` and `created[gte]`.
  app.set("query parser", "extended");
  app.use((request, response, next) => {
    response.set("Request-Id", `req_${newId()}`);
    if (!isSame(request.get("authorization") ?? "", `Bearer ${secretKey}`)) {
      throw new StripeRefusal(401, "Invalid API Key provided.");
    }
    // The only version the sandbox supports: it refuses others as Stripe refuses unknown ones.
    if (request.get("stripe-version") !== stripeApiVersion) {
      throw new StripeRefusal(400, `Invalid Stripe API version; the sandbox speaks ${stripeApiVersion}.`);
    }
    next();
  });
  app.use(express.urlencoded({ extended: true, limit: "32kb" }), (request, _response, next) => {
    if (holdsNull(request)) throw new StripeRefusal(400, "The request holds a null character.");
    next();
  });
  addIntentRoutes(app, { pool, ledger, answer, change });
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

/** Disputes: read, list, and close, which accepts the loss. Opening one is up to the bank: see payment-control.ts. */
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
