import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import { mostOfOneAddress, shareConnections } from "./guards/shares.ts";

/** A listening gateway. `close` stops accepting, gives requests up to `drainMs` to finish, then cuts the rest. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

/** Limits on slow and numerous clients. */
type Patience = {
  /** For the request line and headers. */
  readonly headersMs: number;
  /** For the whole request. */
  readonly requestMs: number;
  /** Without a byte in either direction: for a client that never reads its answer. */
  readonly silenceMs: number;
  /** Interval of timeout checks; with Node's default of 30 s, a slow client could stay that much longer. */
  readonly checkEveryMs: number;
  readonly drainMs: number;
  readonly mostConnections: number;
  /** Most connections of one address; null behind a proxy, where all customers share one address. */
  readonly mostOfOneAddress: number | null;
};

export const usualPatience: Patience = {
  headersMs: 10_000,
  // Attachments of 10 MB take as long at 1 Mbit/s.
  requestMs: 120_000,
  silenceMs: 60_000,
  checkEveryMs: 2_000,
  drainMs: 10_000,
  mostConnections: 2_000,
  mostOfOneAddress,
};

/** Of an Express app: what its requests and answers inherit from. */
type Prototypes = Pick<Express, "request" | "response">;

/** @param port 0 for any free port. @throws the server's error, such as EADDRINUSE */
export async function listen(
  app: RequestListener & Partial<Prototypes>,
  host: string,
  port: number,
  patience: Patience = usualPatience,
): Promise<Listening> {
  const server = createServer(
    {
      requestTimeout: patience.requestMs,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkEveryMs,
      keepAliveTimeout: 5_000,
      ...classesOf(app),
    },
    app,
  );
  server.timeout = patience.silenceMs;
  server.maxConnections = patience.mostConnections;
  if (patience.mostOfOneAddress !== null) shareConnections(server, patience.mostOfOneAddress);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const sayGoodbye = goodbyes(server);
  let drained: Promise<void> | undefined;
  const close = () => {
    if (drained === undefined) sayGoodbye();
    drained ??= drain(server, patience.drainMs);
    return drained;
  };
  return { port: portOf(server.address()), close };
}

/**
 * Requests and answers that are the app's from the start. Express gives them its prototypes otherwise, after which all
 * that reads them is slower: 2 of 15 µs for a request that does nothing.
 */
function classesOf(app: Partial<Prototypes>) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  if (!app.request || !app.response) return {};
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/**
 * Closes each connection after the answer in progress. Otherwise a busy client keeps its connection, is served until
 * the drain ends, and is then cut off in the middle of a request.
 */
function goodbyes(server: Server): () => void {
  const unanswered = new Set<ServerResponse>();
  let leaving = false;
  const goodbye = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  function answered(this: ServerResponse): void {
    unanswered.delete(this);
  }
  server.prependListener("request", (_request, response) => {
    unanswered.add(response);
    response.on("close", answered);
    if (leaving) goodbye(response);
  });
  return () => {
    leaving = true;
    unanswered.forEach(goodbye);
  };
}

async function drain(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  try {
    await closed;
  } finally {
    clearTimeout(cut);
  }
}
