import { type PricedCertificate, priceListAt } from "../../../domain/pricing/price-list.ts";
import type { Parts } from "../parts.ts";
import { presentPrices } from "../presenters/prices.ts";
import { presentSiteConfig } from "../presenters/site-config.ts";
import { notFound } from "../problem.ts";
import type { Answer, Call } from "../route.ts";

const services = new Map<string, PricedCertificate>([
  ["birth-certificate", "Birth"],
  ["death-certificate", "Death"],
  ["marriage-certificate", "Marriage"],
  ["adoption-certificate", "Adoption"],
]);

/** GET /api/pricing/services/{birth|death|marriage|adoption}-certificate */
export const prices =
  ({ desk, settings }: Parts) =>
  async ({ request }: Call): Promise<Answer> => {
    const type = services.get(String(request.params.service));
    if (type === undefined) throw notFound();
    const list = priceListAt(desk.now().toISOString(), settings.current().prices);
    return { body: presentPrices(type, list) };
  };

/** GET /api/config */
export const siteConfig =
  ({ desk, settings, site, facts }: Parts) =>
  async (): Promise<Answer> => ({
    body: presentSiteConfig({
      site,
      settings: settings.current(),
      facts: facts.current(),
      at: desk.now().toISOString(),
    }),
  });
