import { formatPounds, penceOf } from "../../../domain/pricing/money.ts";
import { feePerCopyOf } from "../../../domain/pricing/price-list.ts";
import { useDraft } from "../../ordering/current-order.ts";
import { sharedAnswers } from "../../ordering/draft/certificate-answers.ts";
import type { Draft, DraftType } from "../../ordering/draft/draft.ts";
import { pricesIn, type UnitPrices, usePriceList, usePrices } from "../../site/config.ts";

/** The types on step 1's cards; another type's prices are fetched once it is pre-selected. */
const offeredTypes = ["Birth", "Death"] as const;

const isOffered = (type: DraftType): boolean => offeredTypes.some((offered) => offered === type);

/** The prices of the types on step 1; `loading` until every fetch has ended, well or badly. */
export function useWizardPrices(): { loading: boolean; unitPrices: (type: DraftType) => UnitPrices } {
  const { certificateType } = useDraft();
  const offered = usePrices(offeredTypes);
  const list = usePriceList();
  const preselected = usePrices(isOffered(certificateType) ? [] : [certificateType]);
  return {
    loading: offered.isLoading || preselected.isLoading,
    unitPrices: (type) => {
      const fetched = isOffered(type) ? offered.data : preselected.data;
      return fetched?.[type] ?? pricesIn(list, type);
    },
  };
}

/** What the choice costs in pence: unit price x full copies; short copies add nothing. */
export function costOf({ certificateOptions }: Pick<Draft, "certificateOptions">, prices: UnitPrices) {
  const { fullCertificates: copies, isPriority } = certificateOptions;
  const unitPence = penceOf(isPriority ? prices.priority : prices.standard) ?? 0;
  return { copies, unitPence, totalPence: unitPence * copies };
}

/** One line of the receipt: what, and its figure. */
export interface SummaryLine {
  readonly what: string;
  readonly figure: string;
}

/** The receipt's lines. The parts of a copy add up to its price, and the copies to the total. */
export interface Summary {
  readonly choice: readonly SummaryLine[];
  readonly parts: readonly SummaryLine[];
  readonly unit: string;
  readonly total: string;
  /** For the folded bar: 'Birth certificate × 2'. */
  readonly title: string;
}

/** The costs of a draft; `unitPence` is the price of one copy at the chosen service level. */
export function summaryOf(draft: Draft, unitPence: number): Summary {
  const { fullCertificates: copies, isPriority } = draft.certificateOptions;
  const level = isPriority ? "priority" : "standard";
  const answers = sharedAnswers(draft);
  const known = answers.groReferenceKnown === "yes" && answers.groReference.trim() !== "";
  const fee = feePerCopyOf(unitPence, level, known);
  const certificate = `${draft.certificateType} certificate`;
  return {
    choice: [
      { what: certificate, figure: `${copies} ×` },
      { what: isPriority ? "Priority" : "Standard", figure: formatPounds(unitPence) },
    ],
    parts: [
      { what: "GRO fee", figure: formatPounds(fee.groFeePence) },
      ...(fee.groSearchFeePence > 0
        ? [{ what: "GRO search fee", figure: formatPounds(fee.groSearchFeePence) }]
        : []),
      { what: "Our service", figure: formatPounds(fee.ourFeePence) },
      { what: "Postage", figure: "included" },
    ],
    unit: formatPounds(unitPence),
    total: formatPounds(unitPence * copies),
    title: `${certificate} × ${copies}`,
  };
}
