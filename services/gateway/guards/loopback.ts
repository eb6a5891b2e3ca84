import type { RequestHandler } from "express";
import { notFound } from "../problem.ts";
import { ownOrigins } from "./same-origin.ts";

/**
 * Lets only this machine through, and only when it was called by a name of ours: a page of another site could give its own name
 * to a loopback address and read what is shown there.
 */
export function loopbackOnly(publicUrl: string): RequestHandler {
  const hosts = new Set([...ownOrigins(publicUrl)].map((origin) => new URL(origin).host));
  return (request, _response, next) => {
    const addresses = [request.ip, request.socket.remoteAddress];
    const local = addresses.every((address) => isLoopback(address ?? ""));
    const forwarded = request.headers["x-forwarded-for"] !== undefined;
    const named = hosts.has(request.headers.host ?? "");
    next(local && !forwarded && named ? undefined : notFound());
  };
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}
