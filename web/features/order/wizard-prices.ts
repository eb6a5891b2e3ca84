import { penceOf } from "../../../domain/pricing/money.ts";
import { useDraft } from "../../ordering/current-order.ts";
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
