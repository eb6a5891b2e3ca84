import type { SiteConfig } from "../../contract/site/site.ts";
import { firstPriceList } from "../../domain/pricing/price-list.ts";
import { renderPage } from "../../web/rendering/pages.tsx";

/** For tests: an installation with live providers and no orders yet. */
export const liveConfig: SiteConfig = {
  modes: { payments: "live", identity: "live", submission: "live", mail: "live" },
  sandbox: false,
  tradingName: "Ash & Oak",
  supportEmail: "help@ash.example",
  publishableKey: "pk_test",
  stripeScript: null,
  clerkPublishableKey: null,
  termsVersion: 2,
  consentVersion: 1,
  priceListVersion: 1,
  postalAddress: "1 Test Street, Nottingham",
  companyName: "",
  companyNumber: "",
  vatNumber: "",
  registeredIn: "",
  registeredOffice: "",
  telephone: "",
  telephoneHours: "",
  replyWorkingDays: "",
  prices: firstPriceList,
  orderableTypes: ["Birth", "Death"],
  testimonials: [],
  facts: null,
  contactRetentionDays: 365,
};

/** The words of a page as the server sends it, without its markup. */
export async function wordsOf(path: string, other: Partial<SiteConfig> = {}): Promise<string> {
  const html = await renderPage(path, {
    template: "<!--page-->",
    config: { ...liveConfig, ...other },
    publicUrl: "https://certificates.example",
  });
  return html
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}
