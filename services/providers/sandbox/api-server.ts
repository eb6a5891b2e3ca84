import type { RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type Router } from "express";
import type { Log } from "../../../infra/process/log.ts";
import { statusOfUnreadable } from "./unreadable-requests.ts";

/** What listens at the sandbox's own address; each undefined where that part is not there. */
export type ApiParts = {
  readonly stripe: RequestListener | undefined;
  readonly automation: RequestListener | undefined;
  /** Only where the sandbox is a process of its own: otherwise the product's server has them. */
  readonly pages: Router | undefined;
  readonly log: Pick<Log, "error">;
};

const nothing: RequestListener = (_request, response) => void response.writeHead(404).end();

/** One server for them all: each has paths of its own. */
export function createApiServer({ stripe, automation, pages, log }: ApiParts): RequestListener {
  const site =
    pages && express().disable("x-powered-by").disable("etag").use("/sandbox", pages).use(answerFaults(log));
  const partFor = (path: string): RequestListener | undefined => {
    if (path.startsWith("/sandbox")) return site;
    return path.startsWith("/v1/") ? stripe : automation;
  };
  return (request, response) => (partFor(request.url ?? "/") ?? nothing)(request, response);
}

/** Express would show the stack of a fault. */
const answerFaults =
  (log: Pick<Log, "error">): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    const status = statusOfUnreadable(error) ?? 500;
    if (status === 500)
      log.error({ fault: error instanceof Error ? error.name : "unknown" }, "a page of the sandbox failed");
    response.status(status).json({ issues: "The sandbox could not answer." });
  };
