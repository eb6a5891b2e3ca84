import { Router } from "express";
import type { PageRenderer } from "./rendered-pages.ts";

const closedToCrawlers = ["/api/", "/sandbox/", "/accessadmin", "/admin-login"];

/** robots.txt and sitemap.xml, with this installation's address. */
export function crawlers(publicUrl: string, load: () => Promise<PageRenderer | undefined>): Router {
  const router = Router();
  router.get("/robots.txt", (_request, response) => {
    const lines = ["User-agent: *", ...closedToCrawlers.map((path) => `Disallow: ${path}`)];
    response.type("text/plain").send(`${lines.join("\n")}\n\nSitemap: ${publicUrl}/sitemap.xml\n`);
  });
  router.get("/sitemap.xml", async (_request, response) => {
    const paths = (await load())?.paths ?? [];
    const entries = paths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>`);
    response
      .type("application/xml")
      .send(
        [
          '<?xml version="1.0" encoding="UTF-8"?>',
          '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
          ...entries,
          "</urlset>\n",
        ].join("\n"),
      );
  });
  return router;
}
