import type { CalendarDate } from "../calendar-date.ts";
import type { Instant } from "../instant.ts";
import { londonDate } from "../promise/london-time.ts";

export type PricedCertificate = "Birth" | "Death" | "Marriage" | "Adoption";
export type PricedService = "standard" | "priority";

type ServicePrices = Readonly<Record<PricedService, number>>;

/** What one full copy costs, in pence, from a day in London on (ISO date) until the next list's day. */
export type PriceList = {
  readonly version: number;
  readonly effectiveFrom: CalendarDate;
  readonly unitPricePence: Readonly<Record<PricedCertificate, ServicePrices>>;
};

/** Oldest day first; never empty. */
export type PriceLists = readonly [PriceList, ...PriceList[]];

const everyType = (prices: ServicePrices): PriceList["unitPricePence"] => ({
  Birth: prices,
  Death: prices,
  Marriage: prices,
  Adoption: prices,
});

/** The first price list. The settings add later ones; a list in force is never changed. */
export const firstPriceList: PriceList = {
  version: 1,
  effectiveFrom: "2024-11-13",
  unitPricePence: everyType({ standard: 4500, priority: 7500 }),
};

/** The lists until the settings add more. */
export const firstPriceLists: PriceLists = [firstPriceList];

export const mostCopies = 5;

/**
 * The list in force at a moment (ISO 8601): it changes at midnight in London. The first list also holds for all time
 * before its day.
 */
export function priceListAt(at: Instant, lists: PriceLists): PriceList {
  const [first, ...others] = lists;
  if (others.length === 0) return first;
  const today = londonDate(at);
  return others.findLast((list) => list.effectiveFrom <= today) ?? first;
}

/** The lowest price of each service level in a list, and whether it is every type's. In pence. */
export function pricesAcross({ unitPricePence }: PriceList): ServicePrices & { readonly isOne: boolean } {
  const each = Object.values(unitPricePence);
  const standard = Math.min(...each.map((prices) => prices.standard));
  const priority = Math.min(...each.map((prices) => prices.priority));
  return {
    standard,
    priority,
    isOne: each.every((prices) => prices.standard === standard && prices.priority === priority),
  };
}

/** Every total that a choice can produce by a list: unit price x 1 to 5, in pence. */
export function possibleQuotes({ unitPricePence }: PriceList): ReadonlySet<number> {
  const units = Object.values(unitPricePence).flatMap(({ standard, priority }) => [standard, priority]);
  const copies = Array.from({ length: mostCopies }, (_, index) => index + 1);
  return new Set(units.flatMap((unit) => copies.map((number) => unit * number)));
}

/** Types that cost the same, and what they cost in pence. */
interface PricedAlike {
  readonly types: readonly PricedCertificate[];
  readonly prices: Readonly<Record<PricedService, number>>;
}

/** The types of a list in groups of the same prices, each group with its prices. */
export function pricedAlike({ unitPricePence }: PriceList): readonly PricedAlike[] {
  const groups = Map.groupBy(
    ["Birth", "Death", "Marriage", "Adoption"] as const,
    (type) => `${unitPricePence[type].standard} ${unitPricePence[type].priority}`,
  );
  return [...groups.values()].flatMap((types) =>
    types.slice(0, 1).map((first) => ({ types, prices: unitPricePence[first] })),
  );
}
