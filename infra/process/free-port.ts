import { statfs } from "node:fs/promises";
import { createServer } from "node:net";

/** Below the ports that Linux (from 32768), macOS and Windows give to outgoing connections. */
const lowest = 20_000;
const ports = 12_000;
/** Neighbouring process ids begin this far apart. Coprime to `ports`, so all ids below it begin elsewhere. */
const apart = 101;
let next = (process.pid * apart) % ports;

/**
 * A port of 127.0.0.1 that is free now. A process gives each port once in 12,000, and processes begin apart, because a
 * port may not be in use yet when the next one is wanted.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports; tries += 1) {
    const port = lowest + next;
    next = (next + 1) % ports;
    if (await isFree(port)) return port;
  }
  throw new Error("No free port was found on 127.0.0.1.");
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

/**
 * Bytes this user may still write on the disk of a file or folder.
 * @throws the system's error, such as ENOENT for a missing folder
 */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
