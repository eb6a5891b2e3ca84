import { poundsOf } from "../../domain/pricing/money.ts";
import type { PricedCertificate, PriceList } from "../../domain/pricing/price-list.ts";

/** Pounds for one full copy. */
export interface UnitPrices {
  readonly standard: number;
  readonly priority: number;
}

/** What a list says of one type. */
export function pricesIn({ unitPricePence }: PriceList, type: PricedCertificate): UnitPrices {
  const { standard, priority } = unitPricePence[type];
  return { standard: poundsOf(standard), priority: poundsOf(priority) };
}

/**
 * Fetches the unit prices of one type; a level that the answer lacks keeps that of `list`. Requests load on demand.
 * @throws ApiError when the prices cannot be fetched
 */
async function getPrices(type: PricedCertificate, list: PriceList): Promise<UnitPrices> {
  const service = `${type.toLowerCase()}-certificate`;
  const [{ send }, { showPrices }] = await Promise.all([
    import("../api/send.ts"),
    import("../../contract/site/site.ts"),
  ]);
  const entries = await send(showPrices, { params: { service } });
  const usual = pricesIn(list, type);
  const priceOf = (serviceId: string) => entries.find((entry) => entry.serviceId === serviceId)?.retailPrice;
  return {
    standard: priceOf("standard") ?? usual.standard,
    priority: priceOf("priority") ?? usual.priority,
  };
}

type PricesByType = Readonly<Record<PricedCertificate, UnitPrices>>;

/**
 * Asks for the given types one after the other; a type that fails keeps the price of `list` (the failure is logged).
 */
export async function getPricesInTurn(
  types: readonly PricedCertificate[],
  list: PriceList,
): Promise<PricesByType> {
  const prices: Record<PricedCertificate, UnitPrices> = priceTable(list);
  for (const type of types) {
    prices[type] = await getPrices(type, list).catch(() => prices[type]);
  }
  return prices;
}

/** The prices of every type in a list. */
export const priceTable = (list: PriceList): Record<PricedCertificate, UnitPrices> => ({
  Birth: pricesIn(list, "Birth"),
  Death: pricesIn(list, "Death"),
  Marriage: pricesIn(list, "Marriage"),
  Adoption: pricesIn(list, "Adoption"),
});
