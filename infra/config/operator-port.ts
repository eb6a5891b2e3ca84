import { once } from "node:events";
import express, { type Router } from "express";
import { OperatorError } from "../process/operator-error.ts";
import type { Config } from "./config.ts";

/**
 * A port for the operator only, with `/healthz`, `/readyz` and any routers given. Never the public
 * one. Does nothing unless HEALTH_PORT is set.
 * @throws OperatorError when it cannot listen
 */
export async function openOperatorPort(
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
