import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../../infra/log.ts";
import { hintOf } from "./guards/identify.ts";

const header = "Request-Id";

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
      const level = response.statusCode >= 500 ? "error" : "info";
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

function patternOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === "string" ? path : "(none)";
}
