import { createServer, type RequestListener, type Server } from "node:http";
import type { Request, RequestHandler } from "express";

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

/** Postgres stores no null character, neither in text nor in JSON. */
export function holdsNull(request: Request): boolean {
  return /%00/.test(request.url) || hasNull(request.body);
}

/** Answers 400. Mount before the routes, and again after body parsers. */
export const refuseNull: RequestHandler = (request, response, next) => {
  if (!holdsNull(request)) return next();
  response.status(400).json({ issues: "The request holds a null character." });
};

/** Whether any text in parsed JSON has one. Not recursive: JSON may be nested deeper than the stack. */
export function hasNull(json: unknown): boolean {
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value === "string" && value.includes("\0")) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.entries(value)) unseen.push(...member);
  }
  return false;
}

/** The status a body parser gives to unreadable input; undefined if the error is ours. */
export function statusOfUnreadable(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return undefined;
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
