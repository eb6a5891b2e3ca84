import { once } from "node:events";
import { isIP } from "node:net";
import express, { Router } from "express";
import type { Config } from "../../infra/config/config.ts";
import { OperatorError } from "../../infra/process/operator-error.ts";
import type { Meter } from "../../infra/telemetry/metrics/meter.ts";
import { health, type ReadinessCheck } from "../gateway/health.ts";

/**
 * Serves liveness, readiness and metrics at HEALTH_PORT, if set.
 * @param meter undefined for a process without metrics
 * @param signal aborts once the process is stopping
 * @throws OperatorError when it cannot listen
 */
export async function answerOperator(
  config: Pick<Config, "HEALTH_PORT" | "HEALTH_HOST" | "METRICS_HOSTS">,
  readiness: readonly ReadinessCheck[],
  meter: Meter | undefined,
  signal: AbortSignal,
  closing: AsyncDisposableStack,
): Promise<void> {
  const figures = meter === undefined ? [] : [metricsPage(meter, config.METRICS_HOSTS)];
  await openOperatorPort(config, [health(readiness, () => signal.aborted), ...figures], closing);
}

/**
 * A port for the operator only, with `/healthz`, `/readyz` and any routers given. Never the public
 * one. Does nothing unless HEALTH_PORT is set.
 * @throws OperatorError when it cannot listen
 */
async function openOperatorPort(
  config: Pick<Config, "HEALTH_PORT" | "HEALTH_HOST">,
  routers: readonly Router[],
  closing: AsyncDisposableStack,
): Promise<void> {
  if (config.HEALTH_PORT === undefined) return;
  const app = express().disable("x-powered-by").disable("etag");
  for (const router of routers) app.use(router);
  app.use((_request, response) => void response.status(404).end());
  const server = app.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  await once(server, "listening").catch((cause: unknown) => {
    throw new OperatorError(
      `HEALTH_PORT is ${config.HEALTH_PORT} at ${config.HEALTH_HOST}, where this process cannot listen: set it to a free port, another one for each process of a machine.`,
      { cause },
    );
  });
  closing.defer(() => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  });
}

/**
 * `/metrics`, for the operator's port only. A malicious page open in a browser could point its own name at this
 * address, so it answers only to hosts such a page cannot use: an IP address, `localhost`, a name without a dot, and
 * configured names.
 */
function metricsPage(meter: Pick<Meter, "text" | "contentType">, names: readonly string[]): Router {
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
