import type { RequestHandler, Router } from "express";
import type { Guards, Route } from "./route.ts";

/** A tile's place is several segments of its path. */
const inSegments = new Set(["tile"]);

/** Registers routes, turning `/orders/{id}` into Express's `/orders/:id`. */
export function mount(router: Router, routes: readonly Route[], guards: Guards): void {
  const served = routes.map(({ request: { method, path }, serve }) => ({
    method,
    path: path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      inSegments.has(name) ? `*${name}` : `:${name}`,
    ),
    handle: serve(guards),
  }));
  router.use(servedAtOnce(served.filter(({ path }) => !/[:*]/.test(path))));
  for (const { method, path, handle } of served) {
    if (method === "GET") router.get(path, handle);
    else router.post(path, handle);
  }
}

type Served = { readonly method: string; readonly path: string; readonly handle: RequestHandler };

/**
 * Serves paths without parameters, written as they are in the contract: Express compares a request with one route after
 * another. Any other spelling that Express knows, and HEAD, is left to it.
 */
function servedAtOnce(fixed: readonly Served[]): RequestHandler {
  const byName = new Map(fixed.map((served) => [`${served.method} ${served.path}`, served]));
  return (request, response, next) => {
    const found = byName.get(`${request.method} ${request.path}`);
    if (!found) return next();
    request.route = { path: found.path };
    return found.handle(request, response, next);
  };
}
