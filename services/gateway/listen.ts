import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A listening gateway. `close` stops accepting, lets requests finish for `drainMs` at most, then cuts what is left. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

/** How long clients may take, and how many there may be. */
export type Patience = {
  /** For the request line and headers. */
  readonly headersMs: number;
  /** For the whole request. */
  readonly requestMs: number;
  /** Without a byte in either direction: for who asks and never reads the answer. */
  readonly silenceMs: number;
  /** Between two looks at the clock; Node's own 30 s would let a client dawdle so much longer. */
  readonly checkEveryMs: number;
  readonly drainMs: number;
  readonly mostConnections: number;
};

export const usualPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 60_000,
  checkEveryMs: 2_000,
  drainMs: 10_000,
  mostConnections: 2_000,
};

/** Starts to serve. @param port 0 takes any free one. @throws the server's error, such as EADDRINUSE */
export async function listen(
  app: RequestListener,
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
    },
    app,
  );
  server.timeout = patience.silenceMs;
  server.maxConnections = patience.mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  let drained: Promise<void> | undefined;
  const close = () => {
    drained ??= drain(server, patience.drainMs);
    return drained;
  };
  return { port: portOf(server.address()), close };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
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
