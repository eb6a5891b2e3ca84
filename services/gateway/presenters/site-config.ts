import { type PriceList, priceListAt } from "../../../domain/pricing/price-list.ts";
import type { Settings } from "../../settings/settings.ts";

export type Mode = "sandbox" | "live";

/** What the pages must know of this installation and only its start decides. Nothing here is secret. */
export type SiteSettings = {
  readonly modes: {
    readonly payments: Mode;
    readonly identity: Mode;
    readonly submission: Mode;
    readonly mail: Mode;
  };
  readonly publishableKey: string;
  /** Path of the sandbox's stand-in for the payment provider's script; null when the provider's own is used. */
  readonly stripeScript: string | null;
  readonly termsVersion: number;
  readonly consentVersion: number;
};

/** GET /api/config. */
export function presentSiteConfig(site: SiteSettings, settings: Settings, at: string) {
  const { payments, identity, submission, mail } = site.modes;
  const { company, orderableTypes, testimonials, contactRetentionDays } = settings;
  const prices = priceListAt(at, settings.prices);
  return {
    modes: { payments, identity, submission, mail },
    sandbox: [payments, identity, submission, mail].includes("sandbox"),
    tradingName: company.tradingName,
    supportEmail: company.supportEmail,
    postalAddress: company.postalAddress,
    companyNumber: company.companyNumber,
    publishableKey: site.publishableKey,
    stripeScript: site.stripeScript,
    termsVersion: site.termsVersion,
    consentVersion: site.consentVersion,
    priceListVersion: prices.version,
    prices: presentPriceList(prices),
    orderableTypes,
    testimonials: testimonials.map(({ quote, name, source, url }) => ({ quote, name, source, url })),
    contactRetentionDays,
  };
}

const presentPriceList = ({ version, effectiveFrom, unitPricePence }: PriceList) => ({
  version,
  effectiveFrom,
  unitPricePence,
});
