import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Router } from "express";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { readIntentOf } from "./intents.ts";
import { publicIntent, refusalJson } from "./presenting.ts";
import { StripeRefusal } from "./refusal.ts";

/** What the product's pages load from their own origin: the script, and one intent for who holds its secret. */
export function browserRoutes(pool: Pool, cardOrigin: () => string): Router {
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
