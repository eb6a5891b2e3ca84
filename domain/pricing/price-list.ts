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

/** Whether a choice can cost this by a list, in pence: a unit price x 1 to 5. */
export function isPossibleQuote(totalPence: number, { unitPricePence }: PriceList): boolean {
  const isMultiple = (unitPence: number) => {
    const copies = totalPence / unitPence;
    return Number.isInteger(copies) && copies >= 1 && copies <= mostCopies;
  };
  return Object.values(unitPricePence).some(
    ({ standard, priority }) => isMultiple(standard) || isMultiple(priority),
  );
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

/**
 * What the GRO charges for one copy, in pence. Source: GOV.UK, fees for civil registration records, 13 November 2024.
 */
export const groFees = {
  checkedOn: "2024-11-13",
  feePence: { standard: 1250, priority: 3850 },
  /** Added when it must search without its own index reference. */
  searchPence: 350,
  /** What it keeps when it does not find the record. */
  keptWhenNotFoundPence: 400,
  /** Of entries that it has scanned. Neither is a certificate, and we sell neither. */
  pdfPence: 800,
  digitalImagePence: 300,
} as const;

/** One full copy's price in its three parts, in pence. Postage is included in ours. */
export interface FeePerCopy {
  readonly groFeePence: number;
  readonly groSearchFeePence: number;
  readonly ourFeePence: number;
}

/** Breaks a unit price down: what goes to the GRO, and the rest, which is ours. */
export function feePerCopyOf(
  unitPricePence: number,
  serviceLevel: PricedService,
  groReferenceKnown: boolean,
): FeePerCopy {
  const groFeePence = groFees.feePence[serviceLevel];
  const groSearchFeePence = groReferenceKnown ? 0 : groFees.searchPence;
  return { groFeePence, groSearchFeePence, ourFeePence: unitPricePence - groFeePence - groSearchFeePence };
}

/** What comes back from the GRO for copies of a record it did not find, in pence. */
export const returnedWhenNotFoundPence = (fee: FeePerCopy, copies: number): number =>
  (fee.groFeePence + fee.groSearchFeePence - groFees.keptWhenNotFoundPence) * copies;

interface Choice {
  readonly certificateType: PricedCertificate;
  readonly serviceLevel: PricedService;
  /** Full copies; short copies add nothing. */
  readonly copies: number;
  readonly groReferenceKnown: boolean;
}

interface Price {
  readonly unitPricePence: number;
  /** Unit price x full copies. */
  readonly totalPence: number;
  readonly priceListVersion: number;
  readonly feePerCopy: FeePerCopy;
}

/** What a choice costs by a list, all in pence. */
export function priceOf(choice: Choice, list: PriceList): Price {
  const unitPricePence = list.unitPricePence[choice.certificateType][choice.serviceLevel];
  return {
    unitPricePence,
    totalPence: unitPricePence * choice.copies,
    priceListVersion: list.version,
    feePerCopy: feePerCopyOf(unitPricePence, choice.serviceLevel, choice.groReferenceKnown),
  };
}
