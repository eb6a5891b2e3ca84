import { isIP } from "node:net";
import { Router } from "express";
import type { Meter } from "./meter.ts";

/**
 * `/metrics`, for the operator's port only. A malicious page open in a browser could point its own name at this
 * address, so it answers only to hosts such a page cannot use: an IP address, `localhost`, a name without a dot, and
 * configured names.
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

/** Whether only an operator would use this `Host` header. */
function isOperatorsHost(host: string, names: readonly string[]): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  return isAddress || !name.includes(".") || names.includes(name);
}
