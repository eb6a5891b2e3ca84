import { type FeePerCopy, feePerCopyOf } from "./fees.ts";
import type { PricedCertificate, PricedService, PriceList } from "./price-list.ts";

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
