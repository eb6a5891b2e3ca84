import useSWR from "swr";
import type { SiteConfig } from "../../contract/site/site.ts";
import { retentionWords } from "../../domain/order/personal-data/held-words.ts";
import { firstPriceList, type PricedCertificate, type PriceList } from "../../domain/pricing/price-list.ts";
import { getPricesInTurn } from "./prices.ts";

/**
 * Requests load on demand: a page that the server rendered brings its configuration along.
 * @throws ApiError
 */
export async function getConfig(): Promise<SiteConfig> {
  const [{ send }, { showSiteConfig }] = await Promise.all([
    import("../api/send.ts"),
    import("../../contract/site/site.ts"),
  ]);
  return send(showSiteConfig);
}

const configKey = "site-config";

/** Undefined while loading, or if it could not be loaded. */
export const useConfig = () => useSWR(configKey, getConfig);

/** Shown while the configuration loads; the setting's default. */
const usualTradingName = "Kith & Copy";

/** The trading name, at once. */
export const useTradingName = (): string => useConfig().data?.tradingName ?? usualTradingName;

/** Whether staff submit applications manually, so no time can be promised. */
export const useSubmittedByHand = (): boolean => useConfig().data?.modes.submission === "byHand";

/** The server's price list, or the built-in one until it arrives. */
export const usePriceList = (): PriceList => useConfig().data?.prices ?? firstPriceList;

/** Whether a type can be ordered now. True until known; the server decides then. */
export function useOrderable(): (type: string) => boolean {
  const types: readonly string[] | undefined = useConfig().data?.orderableTypes;
  return (type) => types?.includes(type) ?? true;
}

/** Shown while the configuration loads; the setting's default. */
const usualPostalAddress = "Nottingham, NG1, United Kingdom";

/** Our postal address on one line, at once. */
export const usePostalAddress = (): string => useConfig().data?.postalAddress ?? usualPostalAddress;

/** Retention of contact data after an order has ended, in words; the setting's default until known. */
export const useRetentionWords = (): string => retentionWords(useConfig().data?.contactRetentionDays ?? 365);

/** Element id of the JSON configuration embedded by the server. */
export const configBlockId = "site-config";

/** Answers already known, by key. */
export const knownOf = (config: SiteConfig | undefined): Record<string, unknown> =>
  config ? { [configKey]: config } : {};

/** The configuration embedded in the page, if any: unchecked, because the same build wrote it. */
export function configInPage(): SiteConfig | undefined {
  const text = document.getElementById(configBlockId)?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/** Prices of the given types; `isLoading` ends with success and with failure alike. */
export function usePrices(types: readonly PricedCertificate[]) {
  const list = usePriceList();
  return useSWR(["prices", ...types], () => getPricesInTurn(types, list));
}
