import type { Express } from "express";
import type { JsonObject } from "../../../infra/json.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { idOf, paging, parse } from "./answering.ts";
import { listJson } from "./presenting.ts";
import { StripeRefusal } from "./refusal.ts";

/** Events, newest first, as the webhooks told them. */
export function addEventRoutes(app: Express, pool: Pool): void {
  app.get("/v1/events", async (request, response) => {
    const { limit } = parse(paging, request.query);
    const { rows } = await pool.query<{ body: JsonObject }>(
      "select body from sandbox.events order by created_at desc, id limit $1",
      [limit],
    );
    const bodies = rows.map(({ body }) => body);
    response.json(listJson(request.path, bodies, limit));
  });
  app.get("/v1/events/:id", async (request, response) => {
    const { rows } = await pool.query<{ body: JsonObject }>("select body from sandbox.events where id = $1", [
      idOf(request),
    ]);
    if (!rows[0]) throw new StripeRefusal(404, "No such event.", { code: "resource_missing" });
    response.json(rows[0].body);
  });
}
