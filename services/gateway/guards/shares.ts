import type { Server } from "node:http";
import type { RequestHandler } from "express";
import { Problem } from "../errors/problem.ts";
import { addressOf } from "./client-address.ts";

/**
 * Share of all connections that one address may hold: a browser opens six, an office behind one address some dozens.
 */
export const mostOfOneAddress = 100;

/** Counts what each address holds, up to its share. */
export function shares(most: number) {
  const held = new Map<string, number>();
  const release = (address: string) => {
    const left = (held.get(address) ?? 1) - 1;
    if (left > 0) held.set(address, left);
    else held.delete(address);
  };
  return {
    /** Returns a release function; undefined if the address has used up its share. */
    take(address: string): (() => void) | undefined {
      const count = held.get(address) ?? 0;
      if (count >= most) return undefined;
      held.set(address, count + 1);
      return () => release(address);
    },
  };
}

/**
 * Closes connections above their address's share before reading a byte: half-sent requests could otherwise occupy every
 * connection. Not for a server behind a proxy, where all customers share one address.
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
 * Behind a proxy: limits requests in progress, by the address the proxy names. A request without one is the proxy's
 * own.
 * @throws Problem 429
 */
export function shareRequests(most: number): RequestHandler {
  const requests = shares(most);
  return (request, response, next) => {
    if (request.headers["x-forwarded-for"] === undefined) return next();
    const giveBack = requests.take(addressOf(request.ip ?? ""));
    if (giveBack) {
      response.on("close", giveBack);
      return next();
    }
    // The rest of the body is not read.
    next(
      new Problem("too-many-requests", "Too many open requests from this address: please wait.", {
        headers: { "Retry-After": "5", Connection: "close" },
      }),
    );
  };
}
