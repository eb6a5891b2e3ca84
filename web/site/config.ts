import useSWR from "swr";
import { type SiteConfig, showSiteConfig, siteConfigAnswer } from "../../contract/site/site.ts";
import { retentionWords } from "../../domain/order/personal-data/held-words.ts";
import { firstPriceList, type PriceList } from "../../domain/pricing/price-list.ts";
import { send } from "../api/send.ts";

/** @throws ApiError when the server does not answer with its configuration */
export const getConfig = (): Promise<SiteConfig> => send(showSiteConfig);

/** Undefined while it loads, or when it could not be loaded. */
export const useConfig = () => useSWR(showSiteConfig.path, getConfig);

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

/** The id of the block of JSON with which the server tells a page its configuration. */
export const configBlockId = "site-config";

/** Answers that need not be asked for, by address. */
export const knownOf = (config: SiteConfig | undefined): Record<string, unknown> =>
  config ? { [showSiteConfig.path]: config } : {};

/** The configuration that came with the page; undefined when none did. */
export function configInPage(): SiteConfig | undefined {
  const text = document.getElementById(configBlockId)?.textContent;
  if (!text) return undefined;
  const parsed = siteConfigAnswer.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
