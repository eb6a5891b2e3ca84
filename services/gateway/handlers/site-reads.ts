import type { PricedCertificate } from "../../../domain/pricing/price-list.ts";
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
  ({ desk }: Parts) =>
  async ({ request }: Call): Promise<Answer> => {
    const type = services.get(String(request.params.service));
    if (type === undefined) throw notFound();
    return { body: presentPrices(type, desk.now().toISOString()) };
  };

/** GET /api/config */
export const siteConfig =
  ({ desk, site }: Parts) =>
  async (): Promise<Answer> => ({ body: presentSiteConfig(site, desk.now().toISOString()) });
