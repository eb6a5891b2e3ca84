import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A listening gateway. `close` stops accepting, lets requests finish for 10 s at most, then cuts what is left. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

const drainMs = 10_000;

/** Starts to serve. @param port 0 takes any free one. @throws the server's error, such as EADDRINUSE */
export async function listen(app: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 },
    app,
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  let drained: Promise<void> | undefined;
  const close = () => {
    drained ??= drain(server);
    return drained;
  };
  return { port: portOf(server.address()), close };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

async function drain(server: Server): Promise<void> {
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
