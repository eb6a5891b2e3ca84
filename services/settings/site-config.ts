import type { z } from "zod";
import type { Presented } from "../../contract/request.ts";
import type { Mode, siteConfigAnswer, submissionMode } from "../../contract/site/site.ts";
import { priceListAt } from "../../domain/pricing/price-list.ts";
import type { Log } from "../../infra/process/log.ts";
import type { FigureQueries, PublicFacts } from "../../projections/orders/figures.ts";
import { presentCompany, presentPriceList } from "./present-settings.ts";
import type { Settings } from "./settings.ts";

/** What pages need to know about this installation, fixed at its start. Nothing here is secret. */
export type SiteSettings = {
  readonly modes: {
    readonly payments: Mode;
    readonly identity: Mode;
    readonly submission: z.output<typeof submissionMode>;
    readonly mail: Mode;
  };
  readonly publishableKey: string;
  /** Path of the sandbox's payment script; null with the provider's own. */
  readonly stripeScript: string | null;
  /** Null with the sandbox identity provider. */
  readonly clerkPublishableKey: string | null;
  readonly termsVersion: number;
  readonly consentVersion: number;
};

type Shown = {
  readonly site: SiteSettings;
  readonly settings: Settings;
  readonly facts: PublicFacts | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
};

export function presentSiteConfig({ site, settings, facts, at }: Shown): Presented<typeof siteConfigAnswer> {
  const { payments, identity, submission, mail } = site.modes;
  const { company, orderableTypes, testimonials, contactRetentionDays } = settings;
  const prices = priceListAt(at, settings.prices);
  return {
    modes: { payments, identity, submission, mail },
    sandbox: [payments, identity, submission, mail].some((mode) => mode === "sandbox" || mode === "test"),
    ...presentCompany(company),
    publishableKey: site.publishableKey,
    stripeScript: site.stripeScript,
    clerkPublishableKey: site.clerkPublishableKey,
    termsVersion: site.termsVersion,
    consentVersion: site.consentVersion,
    priceListVersion: prices.version,
    prices: presentPriceList(prices),
    orderableTypes,
    testimonials: testimonials.map(({ quote, name, source, url }) => ({ quote, name, source, url })),
    facts: facts && {
      submittedOrders: facts.submittedOrders,
      medianMinutesToSubmission: facts.medianMinutesToSubmission,
    },
    contactRetentionDays,
  };
}

/** With fewer orders, a median means little and the count could identify people. */
const fewestOrders = 20;

const keptForSeconds = 60;

/** Public performance figures; null while unknown, or with too few orders. */
export type FactsOfService = { readonly current: () => PublicFacts | null };

type FactsParts = {
  readonly queries: Pick<FigureQueries, "publicFacts">;
  readonly now: () => Date;
  readonly log: Log;
};

/**
 * Caches the facts for a minute. Callers get the cached value at once, and an older one is refreshed in the background:
 * no page waits for the database or fails with it.
 */
export function createFactsOfService({ queries, now, log }: FactsParts): FactsOfService {
  let known: PublicFacts | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  const refresh = async (at: Date): Promise<void> => {
    try {
      const facts = await queries.publicFacts(at.toISOString());
      known = facts.submittedOrders < fewestOrders ? null : facts;
    } catch (error) {
      log.warn({ err: error }, "the facts for the home page could not be counted");
    }
  };
  return {
    current: () => {
      const at = now();
      if (Math.abs(at.getTime() - askedAt) >= keptForSeconds * 1000) {
        askedAt = at.getTime();
        void refresh(at);
      }
      return known;
    },
  };
}
