import * as site from "../../contract/site/site.ts";
import { type PricedCertificate, priceListAt } from "../../domain/pricing/price-list.ts";
import { notFound } from "../gateway/errors/problem.ts";
import { route } from "../gateway/routing/route.ts";
import { presentPrices } from "./present-prices.ts";
import { presentSiteConfig } from "./site-config.ts";

const services = new Map<string, PricedCertificate>([
  ["birth-certificate", "Birth"],
  ["death-certificate", "Death"],
  ["marriage-certificate", "Marriage"],
  ["adoption-certificate", "Adoption"],
]);

/** GET /api/pricing/services/{birth|death|marriage|adoption}-certificate */
export const prices = route(site.showPrices, ({ desk, settings }) => async ({ request }) => {
  const type = services.get(String(request.params.service));
  if (type === undefined) throw notFound();
  const list = priceListAt(desk.now().toISOString(), settings.current().prices);
  return { body: presentPrices(type, list) };
});

/** GET /api/config */
export const siteConfig = route(site.showSiteConfig, ({ desk, settings, site, facts }) => async () => ({
  body: presentSiteConfig({
    site,
    settings: settings.current(),
    facts: facts.current(),
    at: desk.now().toISOString(),
  }),
}));
