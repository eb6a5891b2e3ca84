import type { Server } from "node:http";
import type { RequestHandler } from "express";
import { Problem } from "../errors/problem.ts";
import { addressOf } from "./limit.ts";

/** So much of the room for all may one address have: a browser opens six connections, an office behind one address some dozens. */
export const mostOfOneAddress = 100;

/** How much each address holds at the moment. */
function shares(most: number) {
  const held = new Map<string, number>();
  const release = (address: string) => {
    const left = (held.get(address) ?? 1) - 1;
    if (left > 0) held.set(address, left);
    else held.delete(address);
  };
  return {
    /** Answers how to give it back; undefined when the address has its share already. */
    take(address: string): (() => void) | undefined {
      const count = held.get(address) ?? 0;
      if (count >= most) return undefined;
      held.set(address, count + 1);
      return () => release(address);
    },
  };
}

/**
 * Hangs up on connections above the share of their address, before a byte of them is read: half-sent requests would hold all the room there
 * is. Not for a server behind a proxy, which is one address for all customers.
 */
export function shareConnections(server: Server, most: number): void {
  const connections = shares(most);
  server.prependListener("connection", (socket) => {
    const giveBack = connections.take(addressOf(socket.remoteAddress ?? ""));
    if (giveBack) socket.once("close", giveBack);
    else socket.destroy();
  });
}

/**
 * Behind a proxy: the same of requests in hand, by the address that the proxy names. A request without one is the proxy's own.
 * @throws Problem 429
 */
export function shareRequests(most: number): RequestHandler {
  const requests = shares(most);
  return (request, response, next) => {
    if (request.headers["x-forwarded-for"] === undefined) return next();
    const giveBack = requests.take(addressOf(request.ip ?? ""));
    if (giveBack) {
      response.once("close", giveBack);
      return next();
    }
    // What is left of its body is not waited for.
    next(
      new Problem("too-many-requests", "Too many requests of this address are open: please wait.", {
        headers: { "Retry-After": "5", Connection: "close" },
      }),
    );
  };
}
