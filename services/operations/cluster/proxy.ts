import { once } from "node:events";
import {
  Agent,
  request as ask,
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { mostOfOneAddress, shareConnections } from "../../gateway/guards/shares.ts";
import { isLoopback } from "../../providers/sandbox/from-here.ts";
import type { Gateways, Upstream } from "./gateways.ts";

export type ProxyParts = {
  readonly gateways: Gateways;
  /** Where the sandbox's pages are; undefined where the sandbox is no process of its own. */
  readonly sandbox: Upstream | undefined;
};

export type FrontProxy = {
  readonly port: number;
  /** Takes no more connections. */
  readonly leave: () => void;
  /** Cuts what is still open. */
  readonly close: () => Promise<void>;
};

/** One exchange between a client and one of some upstreams. */
type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: IncomingHttpHeaders;
  readonly onFailed: (upstream: Upstream) => void;
};

/** What asking twice does not change, by RFC 9110, 9.2.1. */
const repeatable = new Set(["GET", "HEAD"]);

/** A body can be passed on once: what was read of it is missing the second time, and the next request would be taken for the rest. */
const mayBeRepeated = ({ method = "", headers }: IncomingMessage): boolean =>
  repeatable.has(method) && headers["transfer-encoding"] === undefined && !Number(headers["content-length"]);

/** A gateway keeps an idle connection for 5 s: it must not be the one to close it under a request. */
const keptOpen = new Agent({ keepAlive: true, timeout: 4_000, maxFreeSockets: 64 });

/**
 * The one address in front of several gateways. It goes round among those that are ready, and asks another one only where that is safe: nothing was
 * sent yet, or the request may be repeated and nothing was answered. @throws the server's error, such as EADDRINUSE
 */
export async function startProxy(parts: ProxyParts, host: string, port: number): Promise<FrontProxy> {
  const server = createServer((request, response) => pass(parts, request, response));
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  shareConnections(server, mostOfOneAddress);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    port: address.port,
    leave: () => {
      server.close();
      server.closeIdleConnections();
    },
    close: async () => {
      const closed = server.listening ? once(server, "close") : undefined;
      server.close();
      server.closeAllConnections();
      keptOpen.destroy();
      await closed;
    },
  };
}

function pass({ gateways, sandbox }: ProxyParts, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const ofSandbox = path === "/sandbox" || path.startsWith("/sandbox/");
  const toSandbox = ofSandbox && sandbox !== undefined && !path.startsWith("/sandbox/identity/");
  const headers = ofSandbox ? headersToSandbox(request) : headersToGateway(request);
  const onFailed = toSandbox ? () => undefined : gateways.failed;
  tryInTurn({ request, response, headers, onFailed }, toSandbox ? [sandbox] : gateways.inTurn());
}

function tryInTurn(exchange: Exchange, upstreams: readonly Upstream[]): void {
  const { request, response, headers, onFailed } = exchange;
  const [upstream, ...others] = upstreams;
  if (upstream === undefined) {
    refuse(response, 503, "Nothing behind this address is ready.");
    return;
  }
  const mayRepeat = mayBeRepeated(request);
  const outgoing = ask({
    ...upstream,
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers,
    // What may not be repeated gets a connection of its own: one kept open may be closing at that moment.
    agent: mayRepeat ? keptOpen : false,
  });
  let wasSent = false;
  onceConnected(outgoing, () => {
    wasSent = true;
    request.pipe(outgoing);
  });
  outgoing.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, headersToClient(answer.headers));
    // A stream of events shows that it is open before its first event.
    response.flushHeaders();
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  outgoing.on("error", () => {
    if (response.headersSent || response.destroyed) response.destroy();
    else {
      onFailed(upstream);
      request.unpipe(outgoing);
      if (!wasSent || mayRepeat) tryInTurn(exchange, others);
      else refuse(response, 502, "The connection broke, and what became of the request is not known.");
    }
  });
  response.once("close", () => {
    if (!response.writableFinished) outgoing.destroy();
  });
}

function onceConnected(outgoing: ClientRequest, begin: () => void): void {
  outgoing.once("socket", (socket) => {
    if (socket.connecting) socket.once("connect", begin);
    else begin();
  });
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  const title = status === 503 ? "Service Unavailable" : "Bad Gateway";
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...(status === 503 && { "retry-after": "1" }),
  });
  response.end(JSON.stringify({ type: "about:blank", title, status, detail }));
}

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
function headersToGateway(request: IncomingMessage): IncomingHttpHeaders {
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
function headersToSandbox(request: IncomingMessage): IncomingHttpHeaders {
  return isLoopback(request.socket.remoteAddress)
    ? without(request.headers, new Set())
    : headersToGateway(request);
}

/** The headers of an answer, on its way to the client. */
const headersToClient = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  without(headers, new Set(["transfer-encoding"]));

function without(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofOneConnection.has(name) && !names.has(name)),
  );
}
