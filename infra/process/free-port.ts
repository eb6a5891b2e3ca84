import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Below the ports that Linux (from 32768), macOS and Windows give to outgoing connections. */
const lowest = 20_000;
const ports = 12_000;
let next = randomInt(ports);

/**
 * A port of 127.0.0.1 that is free now, and that no other living process was given: one may not be in use yet when the
 * next is wanted. A process keeps the UDP port of each number that it is given, so that others pass over it.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports; tries += 1) {
    const port = lowest + next;
    next = (next + 1) % ports;
    const mark = await markOf(port);
    if (!mark) continue;
    if (await isFree(port)) return port;
    mark.close();
  }
  throw new Error("No free port was found on 127.0.0.1.");
}

/** Undefined where another process has it. It lasts as long as this process, and does not keep it running. */
async function markOf(port: number) {
  const mark = createSocket("udp4").unref();
  try {
    await new Promise<void>((done, fail) =>
      mark.once("error", fail).bind({ port, address: "127.0.0.1", exclusive: true }, done),
    );
    return mark;
  } catch {
    mark.close();
    return undefined;
  }
}

async function isFree(port: number): Promise<boolean> {
  try {
    await expectFree("127.0.0.1", port);
    return true;
  } catch {
    return false;
  }
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
