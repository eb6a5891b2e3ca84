import { isIP } from "node:net";
import { Router } from "express";
import type { Meter } from "./meter.ts";

/**
 * `/metrics`, for the operator's port alone. A page that somebody has open next to it could point a name of its own at this address, so
 * it answers only to what such a page cannot have: an IP address, `localhost`, a name without a dot, and the names that were given.
 */
export function metricsPage(meter: Pick<Meter, "text" | "contentType">, names: readonly string[]): Router {
  const router = Router();
  router.get("/metrics", async (request, response) => {
    response.set("Cache-Control", "no-store");
    if (!isOperatorsHost(request.headers.host ?? "", names)) {
      response.status(403).type("text/plain").send("Name this host in METRICS_HOSTS.\n");
      return;
    }
    const text = await meter.text();
    response.set("Content-Type", meter.contentType).send(text);
  });
  return router;
}

/** Whether a `Host` header is one that only an operator would use. */
export function isOperatorsHost(host: string, names: readonly string[]): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  return isAddress || !name.includes(".") || names.includes(name);
}
