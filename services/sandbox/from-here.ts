import type { RequestHandler } from "express";

const loopback = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Whether an address is this machine's own, as a socket shows it. */
export const isLoopback = (address: string | undefined): boolean => loopback.test(address ?? "");

/** What proxies add, each its own: one is enough to tell that somebody else may stand behind a request. */
const signsOfProxy = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
];

/**
 * Lets only this machine in: what the sandbox shows is personal data, its controls change what happens, and it signs anybody in. A
 * proxy in front makes every client look local, so a forwarded request is refused; so is a foreign host name, which a page in the
 * browser of this machine could have pointed at it.
 */
export const fromThisMachine: RequestHandler = (request, response, next) => {
  const isForwarded = signsOfProxy.some((name) => request.headers[name] !== undefined);
  const local = isLoopback(request.socket.remoteAddress);
  if (local && !isForwarded && localHost.test(request.get("host") ?? "")) {
    next();
    return;
  }
  response
    .status(403)
    .set("Cache-Control", "no-store")
    .type("text/plain")
    .send("The sandbox shows this only to the machine it runs on.\n");
};
