import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../../infra/log.ts";
import { hintOf } from "./guards/identify.ts";

const header = "Request-Id";
const noPattern = "(none)";

/** The id under which this request is logged, answered and remembered in events. */
export const requestIdOf = (response: Response): string => String(response.get(header));

/**
 * Gives each request an id of ours and logs one line about it when it ends: the route's pattern, never the address, whose path and
 * query may hold an order number or a key.
 */
export function requestLog(options: { log: Log; newId: () => string; now: () => Date }): RequestHandler {
  return (request, response, next) => {
    const startedAt = options.now().getTime();
    response.set(header, options.newId());
    response.once("close", () => {
      const level = levelOf(patternOf(request), response.statusCode);
      options.log[level](
        {
          requestId: requestIdOf(response),
          method: request.method,
          route: patternOf(request),
          status: response.statusCode,
          ms: options.now().getTime() - startedAt,
          hint: hintOf(request),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        "request",
      );
    });
    next();
  };
}

// The files of the pages would drown everything else.
function levelOf(pattern: string, status: number): "error" | "info" | "debug" {
  if (status >= 500) return "error";
  return pattern === noPattern && status < 400 ? "debug" : "info";
}

function patternOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === "string" ? path : noPattern;
}
