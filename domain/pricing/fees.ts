import type { PricedCertificate, PricedService, PriceList } from "./price-list.ts";

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
