import type { Express } from "express";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { idOf, parse } from "./answering.ts";
import { eventListing, listEvents } from "./event-list.ts";
import { StripeRefusal } from "./refusal.ts";

/** Events, newest first, as the webhooks told them or failed to. */
export function addEventRoutes(app: Express, pool: Pool): void {
  app.get("/v1/events", async (request, response) => {
    const { events, hasMore } = await listEvents(pool, parse(eventListing, request.query));
    response.json({ object: "list", url: request.path, has_more: hasMore, data: events });
  });
  app.get("/v1/events/:id", async (request, response) => {
    const { rows } = await pool.query<{ body: JsonObject }>("select body from sandbox.events where id = $1", [
      idOf(request),
    ]);
    if (!rows[0]) throw new StripeRefusal(404, "No such event.", { code: "resource_missing" });
    response.json(rows[0].body);
  });
}
