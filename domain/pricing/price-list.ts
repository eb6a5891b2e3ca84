export type PricedCertificate = "Birth" | "Death" | "Marriage" | "Adoption";
export type PricedService = "standard" | "priority";

type ServicePrices = Readonly<Record<PricedService, number>>;

/** What one full copy costs, in pence, from a day on (ISO date, UTC) until the next list's day. */
export interface PriceList {
  readonly version: number;
  readonly effectiveFrom: string;
  readonly unitPricePence: Readonly<Record<PricedCertificate, ServicePrices>>;
}

const everyType = (prices: ServicePrices): PriceList["unitPricePence"] => ({
  Birth: prices,
  Death: prices,
  Marriage: prices,
  Adoption: prices,
});

/** The one price list: shown, charged and broken down from these rows. Oldest first; add rows, never change one. */
export const priceLists: readonly [PriceList, ...PriceList[]] = [
  { version: 1, effectiveFrom: "2024-11-13", unitPricePence: everyType({ standard: 4500, priority: 7500 }) },
];

export const mostCopies = 5;

/** The list in force at a moment (ISO 8601). The first list also holds for all time before its day. */
export function priceListAt(at: string, lists: readonly [PriceList, ...PriceList[]] = priceLists): PriceList {
  return lists.findLast((list) => list.effectiveFrom <= at.slice(0, 10)) ?? lists[0];
}

/** Every total that a choice can produce at a moment: unit price x 1 to 5, in pence. */
export function possibleQuotes(at: string): ReadonlySet<number> {
  const units = Object.values(priceListAt(at).unitPricePence).flatMap(({ standard, priority }) => [
    standard,
    priority,
  ]);
  const copies = Array.from({ length: mostCopies }, (_, index) => index + 1);
  return new Set(units.flatMap((unit) => copies.map((number) => unit * number)));
}
