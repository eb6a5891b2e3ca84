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
import { pause } from "../../../infra/following/follower-turn.ts";
import { mostOfOneAddress, shareConnections } from "../../gateway/guards/shares.ts";
import { isLoopback } from "../../providers/sandbox/from-here.ts";

type ProxyParts = {
  readonly gateways: Gateways;
  /** Address of the sandbox's pages; undefined if the sandbox is not a separate process. */
  readonly sandbox: Upstream | undefined;
};

type FrontProxy = {
  readonly port: number;
  readonly leave: () => void;
  readonly close: () => Promise<void>;
};

/** An exchange between a client and one of several upstreams. */
type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: IncomingHttpHeaders;
  readonly onFailed: (upstream: Upstream) => void;
};

/** Safe to repeat, by RFC 9110, 9.2.1. */
const repeatable = new Set(["GET", "HEAD"]);

/**
 * A body can be forwarded only once: the part already read would be missing, and the next request taken for the rest.
 */
const mayBeRepeated = ({ method = "", headers }: IncomingMessage): boolean =>
  repeatable.has(method) && headers["transfer-encoding"] === undefined && !Number(headers["content-length"]);

/** A gateway closes an idle connection after 5 s: the proxy must close it first, or a request could be cut. */
const keptOpen = new Agent({ keepAlive: true, timeout: 4_000, maxFreeSockets: 64 });

/**
 * The single address in front of several gateways. Rotates among the ready ones, and retries another only when that is
 * safe: nothing was sent yet, or the request is repeatable and unanswered.
 * @throws the server's error, such as EADDRINUSE
 */
export async function startProxy(parts: ProxyParts, host: string, port: number): Promise<FrontProxy> {
  const server = createServer((request, response) => pass(parts, request, response));
  server.headersTimeout = 10_000;
  server.requestTimeout = 120_000;
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
    refuse(response, 503, "No gateway is ready.");
    return;
  }
  const mayRepeat = mayBeRepeated(request);
  const outgoing = ask({
    ...upstream,
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers,
    // Requests that must not be repeated get a new connection: a kept one may be closing at that moment.
    agent: mayRepeat ? keptOpen : false,
  });
  let wasSent = false;
  onceConnected(outgoing, () => {
    wasSent = true;
    request.pipe(outgoing);
  });
  outgoing.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, headersToClient(answer.headers));
    // A stream of events must show that it is open before its first event.
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
      else refuse(response, 502, "The connection broke, and the outcome of the request is unknown.");
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

/** Hop-by-hop headers, by RFC 9110, 7.6.1, and those that Node answers or sets itself. */
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

/** A client's own claims are dropped: only this proxy knows where a request came from. */
const ofProxies = new Set(["forwarded", "x-real-ip", "via", "x-forwarded-host", "x-forwarded-port"]);

/** Headers of a request to a gateway. `Host` stays as the browser sent it. */
function headersToGateway(request: IncomingMessage): IncomingHttpHeaders {
  return {
    ...without(request.headers, ofProxies),
    "x-forwarded-for": request.socket.remoteAddress ?? "",
    "x-forwarded-proto": "http",
  };
}

/**
 * The sandbox serves only its own machine, and refuses requests that came through a proxy. This proxy runs on that
 * machine: a local request passes unchanged, with headers of other proxies, and any other is marked as foreign.
 */
function headersToSandbox(request: IncomingMessage): IncomingHttpHeaders {
  return isLoopback(request.socket.remoteAddress)
    ? without(request.headers, new Set())
    : headersToGateway(request);
}

const headersToClient = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  without(headers, new Set(["transfer-encoding"]));

function without(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofOneConnection.has(name) && !names.has(name)),
  );
}

export type Upstream = { readonly host: string; readonly port: number };

export type Gateways = {
  /** All ready gateways, starting with the next in rotation. */
  readonly inTurn: () => readonly Upstream[];
  /** Takes a gateway that refused a connection out of rotation until it is ready again. */
  readonly failed: (upstream: Upstream) => void;
  readonly stop: () => Promise<void>;
};

const lookEveryMs = 250;
/** Longer than a readiness check may take. */
const answerWithinMs = 3_000;

/** Polls each gateway for readiness. */
export function watchGateways(upstreams: readonly Upstream[]): Gateways {
  const ready = new Set<Upstream>();
  const stopping = new AbortController();
  let turn = 0;

  async function watch(upstream: Upstream): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await isReady(upstream)) ready.add(upstream);
      else ready.delete(upstream);
      await pause(lookEveryMs, stopping.signal);
    }
  }

  const watching = Promise.all(upstreams.map(watch));
  return {
    inTurn: () => {
      turn += 1;
      const all = upstreams.filter((upstream) => ready.has(upstream));
      const first = turn % Math.max(1, all.length);
      return [...all.slice(first), ...all.slice(0, first)];
    },
    failed: (upstream) => void ready.delete(upstream),
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function isReady({ host, port }: Upstream): Promise<boolean> {
  try {
    const answer = await fetch(`http://${host}:${port}/readyz/traffic`, {
      signal: AbortSignal.timeout(answerWithinMs),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Whatever the reason, it is not ready.
    return false;
  }
}
