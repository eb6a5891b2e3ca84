import { existsSync } from "node:fs";
import { join } from "node:path";
import compression from "compression";
import { type RequestHandler, Router, static as serveStatic } from "express";
import { notFound } from "./problem.ts";

const year = 31_536_000;

/**
 * The built web app: hashed assets for ever, everything else asked for anew, and the app's page for whatever address it may know.
 * @param folder web/dist; an installation without it answers 404
 */
export function site(folder: string): Router {
  const router = Router();
  router.use(compression());
  router.use(
    "/assets",
    serveStatic(join(folder, "assets"), { immutable: true, maxAge: year * 1000, index: false }),
    (_request, _response, next) => next(notFound()),
  );
  router.use(
    serveStatic(folder, {
      index: false,
      setHeaders: (response) => response.setHeader("Cache-Control", "no-cache"),
    }),
  );
  router.get("/{*path}", page(folder));
  return router;
}

function page(folder: string): RequestHandler {
  const file = join(folder, "index.html");
  return (request, response, next) => {
    // An address with an extension names a file, and there was none.
    const isPage = !/\.\w+$/.test(request.path) && request.accepts("html") !== false;
    if (!isPage || !existsSync(file)) return next(notFound());
    response.set("Cache-Control", "no-cache").sendFile(file);
  };
}
