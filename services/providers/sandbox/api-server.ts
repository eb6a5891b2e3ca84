import type { RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type Router } from "express";
import type { Log } from "../../../infra/process/log.ts";
import { statusOfUnreadable } from "./unreadable-requests.ts";

/** Servers at the sandbox's address; each undefined if that part is absent. */
export type ApiParts = {
  readonly stripe: RequestListener | undefined;
  readonly automation: RequestListener | undefined;
  /** Only for a standalone sandbox: otherwise the product's server serves them. */
  readonly pages: Router | undefined;
  readonly log: Pick<Log, "error">;
};

const nothing: RequestListener = (_request, response) => void response.writeHead(404).end();

/** One server for all, since their paths differ. */
export function createApiServer({ stripe, automation, pages, log }: ApiParts): RequestListener {
  const site =
    pages && express().disable("x-powered-by").disable("etag").use("/sandbox", pages).use(answerFaults(log));
  const partFor = (path: string): RequestListener | undefined => {
    if (path.startsWith("/sandbox")) return site;
    return path.startsWith("/v1/") ? stripe : automation;
  };
  return (request, response) => (partFor(request.url ?? "/") ?? nothing)(request, response);
}

/** Express would show the stack of an error. */
const answerFaults =
  (log: Pick<Log, "error">): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    const status = statusOfUnreadable(error) ?? 500;
    if (status === 500)
      log.error({ fault: error instanceof Error ? error.name : "unknown" }, "a page of the sandbox failed");
    response.status(status).json({ issues: "The sandbox could not answer." });
  };
