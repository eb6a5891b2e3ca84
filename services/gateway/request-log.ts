import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../../infra/process/log.ts";
import { correlated, type Tracing, untraced } from "../../infra/telemetry/tracing/tracing.ts";
import type { ServiceFamilies } from "../telemetry/service-families.ts";
import { hintOf } from "./guards/identify.ts";

export const requestIdHeader = "Request-Id";
const noPattern = "(none)";

/** The id under which this request is logged, answered and remembered in events. */
export const requestIdOf = (response: Response): string => String(response.locals.requestId);

/** What requests are counted and traced by. */
export type RequestWatch = {
  readonly tracing: Tracing;
  readonly service: Pick<
    ServiceFamilies,
    "requestSeconds" | "requestsInFlight" | "refusedByLimit" | "streamsEnded"
  >;
};

type Options = { log: Log; newId: () => string; now: () => Date; watch?: RequestWatch };

/**
 * Gives each request an id of ours, under which all that is done for it is logged, counts and traces it, and logs one
 * line about it when it ends: the route's pattern, never the address, whose path and query may hold an order number or
 * a key.
 */
export function requestLog(options: Options): RequestHandler {
  const { log, newId, now, watch } = options;
  const tracing = watch?.tracing ?? untraced;
  return (request, response, next) => {
    const startedAt = now().getTime();
    const requestId = newId();
    response.locals.requestId = requestId;
    watch?.service.requestsInFlight.add({}, 1);
    const work = { name: "request", kind: "server", correlationId: requestId, begins: true } as const;
    void tracing.span(work, (span) => {
      const ended = new Promise<void>((done) => {
        response.on("close", () => {
          const facts = factsOf(request, response, now().getTime() - startedAt);
          if (watch) count(watch, response, facts);
          span.note({
            "http.route": facts.route,
            "http.request.method": facts.method,
            "http.response.status_code": facts.status,
          });
          write(log, request, response, requestId, facts);
          done();
        });
      });
      correlated(requestId, next);
      return ended;
    });
  };
}

function write(log: Log, request: Request, response: Response, requestId: string, facts: Facts): void {
  const level = levelOf(facts);
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId,
      ...facts,
      hint: hintOf(request),
      ...clientIdOf(request),
      ...(response.writableFinished ? {} : { aborted: true }),
    },
    "request",
  );
}

type Facts = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
};

const factsOf = (request: Request, response: Response, ms: number): Facts => ({
  method: request.method,
  route: patternOf(request),
  status: response.statusCode,
  ms,
});

/** Methods come from outside as well: any other is one of no use. */
const methods = new Set(["GET", "POST", "HEAD"]);

function count({ service }: RequestWatch, response: Response, { method, route, status, ms }: Facts): void {
  service.requestsInFlight.add({}, -1);
  // A stream ends when its reader leaves: how long that took says nothing about us.
  if (String(response.get("Content-Type")).startsWith("text/event-stream")) {
    service.streamsEnded.add({ route });
    return;
  }
  if (status === 429) service.refusedByLimit.add({ route });
  const labels = { method: methods.has(method) ? method : "(other)", route, status: String(status) };
  service.requestSeconds.observe(labels, ms / 1000);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What the browser called its request, for finding what a customer reports. It is logged beside ours and used for
 * nothing else.
 */
function clientIdOf(request: Request): { clientRequestId?: string } {
  const given = request.get("Client-Request-Id");
  return given !== undefined && uuid.test(given) ? { clientRequestId: given } : {};
}

/** Asked every second by proxies and containers: what is wrong is logged where it is found. */
const healthChecks = new Set(["/healthz", "/readyz", "/readyz/traffic"]);

// Health checks and the files of the pages would drown everything else, and so would what is refused while our storage
// is away: of an outage the watch of our storage tells, and of any other fault the handler of errors.
function levelOf({ route, status }: Facts): "error" | "info" | "debug" {
  if (healthChecks.has(route)) return "debug";
  if (status >= 500 && status !== 503) return "error";
  return route === noPattern && status < 400 ? "debug" : "info";
}

function patternOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === "string" ? path : noPattern;
}
