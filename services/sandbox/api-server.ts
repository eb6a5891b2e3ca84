import type { RequestListener } from "node:http";
import express, { type Router } from "express";

/** What listens at the sandbox's own address; each undefined where that part is not there. */
export type ApiParts = {
  readonly stripe: RequestListener | undefined;
  readonly automation: RequestListener | undefined;
  /** Only where the sandbox is a process of its own: otherwise the product's server has them. */
  readonly pages: Router | undefined;
};

const nothing: RequestListener = (_request, response) => void response.writeHead(404).end();

/** One server for them all: each has paths of its own. */
export function createApiServer({ stripe, automation, pages }: ApiParts): RequestListener {
  const site = pages && express().disable("x-powered-by").disable("etag").use("/sandbox", pages);
  const partFor = (path: string): RequestListener | undefined => {
    if (path.startsWith("/sandbox")) return site;
    return path.startsWith("/v1/") ? stripe : automation;
  };
  return (request, response) => (partFor(request.url ?? "/") ?? nothing)(request, response);
}
