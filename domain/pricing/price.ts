import { type FeePerCopy, feePerCopyOf } from "./fees.ts";
import { type PricedCertificate, type PricedService, priceListAt } from "./price-list.ts";

export interface Choice {
  readonly certificateType: PricedCertificate;
  readonly serviceLevel: PricedService;
  /** Full copies; short copies add nothing. */
  readonly copies: number;
  readonly groReferenceKnown: boolean;
}

export interface Price {
  readonly unitPricePence: number;
  /** Unit price x full copies. */
  readonly totalPence: number;
  readonly priceListVersion: number;
  readonly feePerCopy: FeePerCopy;
}

/** What a choice costs at a moment (ISO 8601), all in pence. */
export function priceOf(choice: Choice, at: string): Price {
  const list = priceListAt(at);
  const unitPricePence = list.unitPricePence[choice.certificateType][choice.serviceLevel];
  return {
    unitPricePence,
    totalPence: unitPricePence * choice.copies,
    priceListVersion: list.version,
    feePerCopy: feePerCopyOf(unitPricePence, choice.serviceLevel, choice.groReferenceKnown),
  };
}
