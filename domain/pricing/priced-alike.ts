import type { PricedCertificate, PricedService, PriceList } from "./price-list.ts";

/** Types that cost the same, and what they cost in pence. */
interface PricedAlike {
  readonly types: readonly PricedCertificate[];
  readonly prices: Readonly<Record<PricedService, number>>;
}

/**
 * The types of a list that cost the same, each with what they cost. Apart from price-list.ts, which the first page
 * loads.
 */
export function pricedAlike({ unitPricePence }: PriceList): readonly PricedAlike[] {
  const groups = Map.groupBy(
    ["Birth", "Death", "Marriage", "Adoption"] as const,
    (type) => `${unitPricePence[type].standard} ${unitPricePence[type].priority}`,
  );
  return [...groups.values()].flatMap((types) =>
    types.slice(0, 1).map((first) => ({ types, prices: unitPricePence[first] })),
  );
}
