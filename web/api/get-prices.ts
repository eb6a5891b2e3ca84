import useSWR from "swr";
import * as z from "zod/mini";
import { poundsOf } from "../../domain/pricing/money.ts";
import { type PricedCertificate, priceListAt } from "../../domain/pricing/price-list.ts";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** The pricing of one certificate type: what each service level costs, in pounds. */
export const pricesSchema = z.array(z.object({ serviceId: z.string(), retailPrice: z.number() }));

/** Pounds for one full copy. */
export interface UnitPrices {
  readonly standard: number;
  readonly priority: number;
}

export const pricedTypes = ["Birth", "Death", "Marriage", "Adoption"] as const;

/** The list this page was built with: what is shown when the prices cannot be fetched. The server refuses a stale total. */
export function builtInPrices(type: PricedCertificate, at: Date): UnitPrices {
  const { standard, priority } = priceListAt(at.toISOString()).unitPricePence[type];
  return { standard: poundsOf(standard), priority: poundsOf(priority) };
}

/**
 * Fetches the unit prices of one type; a level that the answer lacks keeps the built-in price.
 * @throws ApiError when the prices cannot be fetched
 */
export async function getPrices(type: PricedCertificate, at: Date): Promise<UnitPrices> {
  const entries = await requestJson(pricesSchema, "GET", api.pricing(type));
  const usual = builtInPrices(type, at);
  const priceOf = (serviceId: string) => entries.find((entry) => entry.serviceId === serviceId)?.retailPrice;
  return {
    standard: priceOf("standard") ?? usual.standard,
    priority: priceOf("priority") ?? usual.priority,
  };
}

export type PricesByType = Readonly<Record<PricedCertificate, UnitPrices>>;

/** Asks for the given types one after the other; a type that fails keeps its built-in price (the failure is logged). */
export async function getPricesInTurn(types: readonly PricedCertificate[], at: Date): Promise<PricesByType> {
  const prices: Record<PricedCertificate, UnitPrices> = builtInPriceTable(at);
  for (const type of types) {
    prices[type] = await getPrices(type, at).catch(() => prices[type]);
  }
  return prices;
}

/** The built-in prices of every type. */
export const builtInPriceTable = (at: Date): Record<PricedCertificate, UnitPrices> => ({
  Birth: builtInPrices("Birth", at),
  Death: builtInPrices("Death", at),
  Marriage: builtInPrices("Marriage", at),
  Adoption: builtInPrices("Adoption", at),
});

/** Prices of the given types; `isLoading` ends with success and with failure alike. */
export const usePrices = (types: readonly PricedCertificate[]) =>
  useSWR(["prices", ...types], () => getPricesInTurn(types, new Date()));
