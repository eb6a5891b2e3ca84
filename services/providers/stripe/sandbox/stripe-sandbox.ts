import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express, type RequestHandler, Router } from "express";
import { z } from "zod";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import type { Log } from "../../../../infra/process/log.ts";
import type { Deliveries } from "../../sandbox/deliveries.ts";
import { type Listening, listen } from "../../sandbox/http-server.ts";
import { refuseNull } from "../../sandbox/unreadable-requests.ts";
import { createStripeApi } from "./api.ts";
import { createCardServer } from "./cards/card-server.ts";
import { disputeControl } from "./disputes/dispute-control.ts";
import { readIntentOf } from "./intents.ts";
import { Ledger, type StripeBehaviour } from "./ledger.ts";
import { publicIntent, refusalJson } from "./presenting.ts";
import { StripeRefusal } from "./refusal.ts";

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
  routes.use(disputeControl({ pool, ledger, fromHere: parts.fromHere }));
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
