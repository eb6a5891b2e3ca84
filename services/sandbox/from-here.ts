import type { RequestHandler } from "express";

const loopback = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Lets only this machine in: what the sandbox shows is personal data, and its controls change what happens. A proxy in
 * front makes every client look local, so a forwarded request is refused; so is a foreign host name, which a page in the
 * browser of this machine could have pointed at it.
 */
export const fromThisMachine: RequestHandler = (request, response, next) => {
  const forwarded = request.get("x-forwarded-for") ?? request.get("forwarded");
  const { hostname } = new URL(`http://${request.get("host") ?? "unknown"}`);
  if (
    loopback.test(request.socket.remoteAddress ?? "") &&
    forwarded === undefined &&
    localNames.has(hostname)
  ) {
    next();
    return;
  }
  response.status(403).type("text/plain").send("The sandbox shows this only to the machine it runs on.\n");
};
