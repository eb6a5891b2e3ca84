import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isLoopback } from "../../providers/sandbox/from-here.ts";

/** Of one connection alone, by RFC 9110, 7.6.1; and what Node answers or sets itself. */
const ofOneConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

/** What a client says of itself counts for nothing: only this proxy knows where a request came from. */
const ofProxies = new Set(["forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-port"]);

/** The headers with which a request goes on to a gateway. `Host` stays what the browser asked for. */
export function headersToGateway(request: IncomingMessage): IncomingHttpHeaders {
  return {
    ...without(request.headers, ofProxies),
    "x-forwarded-for": request.socket.remoteAddress ?? "",
    "x-forwarded-proto": "http",
  };
}

/**
 * The sandbox shows itself to its own machine alone, and takes every request that came by a proxy for a stranger's. This proxy is on that
 * machine: a request of the machine goes on as it came, signs of other proxies included, and any other one as a stranger's.
 */
export function headersToSandbox(request: IncomingMessage): IncomingHttpHeaders {
  return isLoopback(request.socket.remoteAddress)
    ? without(request.headers, new Set())
    : headersToGateway(request);
}

/** The headers of an answer, on its way to the client. */
export const headersToClient = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  without(headers, new Set(["transfer-encoding"]));

function without(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofOneConnection.has(name) && !names.has(name)),
  );
}
