import { createServer } from "node:net";

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once("error", fail).listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise<void>((done) => probe.close(() => done()));
  if (address === null || typeof address === "string")
    throw new Error("No free port was found on 127.0.0.1.");
  return address.port;
}

/** Listens for a moment, so that a start that cannot listen says so before it has begun anything. @throws the server's error, such as EADDRINUSE */
export async function expectFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once("error", fail).listen(port, host, done));
  await new Promise<void>((done) => probe.close(() => done()));
}
