import useSWR from "swr";
import * as z from "zod/mini";
import { retentionWords } from "../../domain/order/personal-data/held-words.ts";
import { firstPriceList, type PriceList } from "../../domain/pricing/price-list.ts";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

const servicePrices = z.object({ standard: z.number(), priority: z.number() });

/** `test`: a real provider's world for trying, in which no money moves. */
const mode = z.enum(["sandbox", "test", "live"]);
/** `byHand`: our staff submit, and no service does. */
const submissionMode = z.enum(["sandbox", "test", "live", "byHand"]);

/** What the browser must know of the installation. */
export const configSchema = z.object({
  modes: z.object({ payments: mode, identity: mode, submission: submissionMode, mail: mode }),
  /** Whether any part is not real. */
  sandbox: z.boolean(),
  tradingName: z.string(),
  supportEmail: z.string(),
  publishableKey: z.string(),
  /** The sandbox's stand-in for the payment provider's script; null when the provider's own is used. */
  stripeScript: z.nullable(z.string()),
  /** Null where the sandbox signs people in. */
  clerkPublishableKey: z.nullable(z.string()),
  termsVersion: z.number(),
  consentVersion: z.number(),
  postalAddress: z.string(),
  /** Empty when there is none. */
  companyNumber: z.string(),
  /** The price list in force, in pence. */
  prices: z.object({
    version: z.number(),
    effectiveFrom: z.string(),
    unitPricePence: z.object({
      Birth: servicePrices,
      Death: servicePrices,
      Marriage: servicePrices,
      Adoption: servicePrices,
    }),
  }),
  orderableTypes: z.array(z.enum(["Birth", "Death", "Marriage", "Adoption"])),
  testimonials: z.array(
    z.object({ quote: z.string(), name: z.string(), source: z.string(), url: z.optional(z.string()) }),
  ),
  /** Of what we did, measured; null while there is too little to tell. */
  facts: z.nullable(
    z.object({ submittedOrders: z.number(), medianMinutesToSubmission: z.nullable(z.number()) }),
  ),
  contactRetentionDays: z.number(),
});

export type SiteConfig = z.infer<typeof configSchema>;

/** @throws ApiError when the server does not answer with its configuration */
export const getConfig = (): Promise<SiteConfig> => requestJson(configSchema, "GET", api.config);

/** Undefined while it loads, or when it could not be loaded. */
export const useConfig = () => useSWR(api.config, getConfig);

/** The name shown while the configuration is on its way; the default of the setting. */
export const usualTradingName = "Kith & Copy";

/** The trading name, at once. */
export const useTradingName = (): string => useConfig().data?.tradingName ?? usualTradingName;

/** Whether staff submit the applications, so that nobody can say how soon. */
export const useSubmittedByHand = (): boolean => useConfig().data?.modes.submission === "byHand";

/** The price list that the server gave; the one this page was built with only while there is none. */
export const usePriceList = (): PriceList => useConfig().data?.prices ?? firstPriceList;

/** Whether a type can be ordered at the moment. While nothing is known the server will say. */
export function useOrderable(): (type: string) => boolean {
  const types: readonly string[] | undefined = useConfig().data?.orderableTypes;
  return (type) => types?.includes(type) ?? true;
}

/** The address shown while the configuration is on its way; the default of the setting. */
const usualPostalAddress = "Nottingham, NG1, United Kingdom";

/** Our postal address on one line, at once. */
export const usePostalAddress = (): string => useConfig().data?.postalAddress ?? usualPostalAddress;

/** How long contact data is kept after an order has ended, in words. The default of the setting while nothing is known. */
export const useRetentionWords = (): string => retentionWords(useConfig().data?.contactRetentionDays ?? 365);
