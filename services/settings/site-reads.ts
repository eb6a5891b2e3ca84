import type { Presented } from "../../contract/request.ts";
import type { pricesAnswer } from "../../contract/site/site.ts";
import * as site from "../../contract/site/site.ts";
import { poundsOf } from "../../domain/pricing/money.ts";
import { type PricedCertificate, type PriceList, priceListAt } from "../../domain/pricing/price-list.ts";
import { notFound } from "../gateway/errors/problem.ts";
import { route } from "../gateway/routing/route.ts";
import { presentSiteConfig } from "./site-config.ts";

const services = new Map<string, PricedCertificate>([
  ["birth-certificate", "Birth"],
  ["death-certificate", "Death"],
  ["marriage-certificate", "Marriage"],
  ["adoption-certificate", "Adoption"],
]);

export const prices = route(site.showPrices, ({ deps, settings }) => async ({ request }) => {
  const type = services.get(String(request.params.service));
  if (type === undefined) throw notFound();
  const list = priceListAt(deps.now().toISOString(), settings.current().prices);
  return { body: presentPrices(type, list) };
});

export const siteConfig = route(site.showSiteConfig, ({ deps, settings, site, facts }) => async () => ({
  body: presentSiteConfig({
    site,
    settings: settings.current(),
    facts: facts.current(),
    at: deps.now().toISOString(),
  }),
}));

/** Section 7's list, in pounds. */
export function presentPrices(type: PricedCertificate, list: PriceList): Presented<typeof pricesAnswer> {
  const { standard, priority } = list.unitPricePence[type];
  return [
    { serviceId: "standard", retailPrice: poundsOf(standard) },
    { serviceId: "priority", retailPrice: poundsOf(priority) },
  ];
}
