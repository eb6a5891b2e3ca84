import type { ErrorRequestHandler, RequestHandler } from "express";
import { faultOf, type Log } from "../../../infra/process/log.ts";
import {
  isStorageError,
  type StorageWatch,
  trustedStorage,
} from "../../../infra/telemetry/storage/storage-watch.ts";
import { requestIdOf } from "../request-log.ts";
import type { Route } from "../routing/route.ts";
import { notFound, Problem } from "./problem.ts";
import { problemOf } from "./problem-of-error.ts";

/**
 * Turns what a route throws into Problem Details (RFC 9457). Our own faults are logged by name and place, never by
 * content; storage faults go to the storage watch, which logs each once.
 */
export function answerErrors(
  log: Log,
  storage: Pick<StorageWatch, "suspect"> = trustedStorage,
): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, _request, response, _next) => {
    const problem = problemOf(error);
    const requestId = requestIdOf(response);
    if (isStorageError(problem.cause)) storage.suspect(problem.cause);
    else if (problem.status >= 500)
      log.error({ requestId, code: problem.code, fault: faultOf(problem.cause ?? problem) }, "fault");
    // The alarm was raised when the stream was parked.
    if (problem.code === "record-unreadable")
      log.warn({ requestId, code: problem.code, fault: faultOf(problem.cause) }, "a record cannot be read");
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(problem.status)
      .set({ ...problem.headers, "Cache-Control": "no-store" })
      .type("application/problem+json")
      .send(
        JSON.stringify({
          ...problem.members,
          type: "about:blank",
          title: problem.message,
          status: problem.status,
          code: problem.code,
          requestId,
        }),
      );
  };
}

/** Answers requests that match no route: 405 if the path has another method, else 404. */
export function noSuchRoute(routes: readonly Route[]): RequestHandler {
  const known = routes.map(({ request: { method, path } }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`),
  }));
  return (request, _response, next) => {
    const allowed = known
      .filter(({ pattern }) => pattern.test(request.baseUrl + request.path))
      .map(({ method }) => method);
    if (allowed.length === 0) return next(notFound());
    next(
      new Problem("method-not-allowed", "This address does not support that method.", {
        headers: { Allow: [...new Set(allowed)].join(", ") },
      }),
    );
  };
}
