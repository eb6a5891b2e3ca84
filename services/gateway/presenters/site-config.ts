import { priceListAt } from "../../../domain/pricing/price-list.ts";

export type Mode = "sandbox" | "live";

/** What the pages must know of this installation. Nothing here is secret. */
export type SiteSettings = {
  readonly modes: {
    readonly payments: Mode;
    readonly identity: Mode;
    readonly submission: Mode;
    readonly mail: Mode;
  };
  readonly tradingName: string;
  readonly supportEmail: string;
  readonly publishableKey: string;
  /** Path of the sandbox's stand-in for the payment provider's script; null when the provider's own is used. */
  readonly stripeScript: string | null;
  readonly termsVersion: number;
  readonly consentVersion: number;
};

/** GET /api/config. */
export function presentSiteConfig(settings: SiteSettings, at: string) {
  const { payments, identity, submission, mail } = settings.modes;
  return {
    modes: { payments, identity, submission, mail },
    sandbox: [payments, identity, submission, mail].includes("sandbox"),
    tradingName: settings.tradingName,
    supportEmail: settings.supportEmail,
    publishableKey: settings.publishableKey,
    stripeScript: settings.stripeScript,
    termsVersion: settings.termsVersion,
    consentVersion: settings.consentVersion,
    priceListVersion: priceListAt(at).version,
  };
}
