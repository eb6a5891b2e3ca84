import { createServer, type RequestListener, type Server } from "node:http";
import type { RequestHandler } from "express";

export type Listening = { host: string; port: number; close: () => Promise<void> };

/** Listens on a port (0: any free one). Closing also closes open connections, so stopping never waits for a client. */
export async function listen(handler: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer(handler);
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { host, port: portOf(server), close: () => close(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

/** Another site's page could post a form to this machine, but its script could not send JSON. */
export const ownFormsOnly: RequestHandler = (request, response, next) => {
  if (request.is("urlencoded") && request.get("sec-fetch-site") !== "same-origin") {
    response.status(403).json({ issues: "Forms are accepted only from the sandbox's own pages." });
    return;
  }
  next();
};
