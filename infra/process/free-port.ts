import { createServer } from "node:net";

/** Ports given out by this process, perhaps not yet in use. */
const given = new Set<number>();
/** Far fewer than the available ports. */
const mostGiven = 1_000;

/** A port of 127.0.0.1 that is free now and was not given out recently. */
export async function freePort(): Promise<number> {
  if (given.size >= mostGiven) given.clear();
  for (let tries = 0; tries < 20; tries += 1) {
    const port = await anyPort();
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
  throw new Error("No free port was found on 127.0.0.1.");
}

async function anyPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once("error", fail).listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise<void>((done) => probe.close(() => done()));
  if (address === null || typeof address === "string")
    throw new Error("No free port was found on 127.0.0.1.");
  return address.port;
}

/**
 * Listens for a moment, so that a start on a taken port fails before it does anything else. @throws the server's error,
 * such as EADDRINUSE
 */
export async function expectFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once("error", fail).listen(port, host, done));
  await new Promise<void>((done) => probe.close(() => done()));
}
