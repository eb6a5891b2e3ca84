import { penceOf } from "../../../domain/pricing/money.ts";
import { builtInPrices, type PricesByType, type UnitPrices, usePrices } from "../../api/get-prices.ts";
import { now } from "../../clock.ts";
import type { Draft, DraftType } from "../../draft/draft.ts";

const orderedTypes = ["Birth", "Death"] as const;

/** The prices of both types; `loading` until both fetches have ended, well or badly. */
export function useWizardPrices(): { loading: boolean; unitPrices: (type: DraftType) => UnitPrices } {
  const { data, isLoading } = usePrices(orderedTypes);
  return { loading: isLoading, unitPrices: (type) => pricesOf(data, type) };
}

const pricesOf = (fetched: PricesByType | undefined, type: DraftType): UnitPrices =>
  fetched?.[type] ?? builtInPrices(type, now());

/** What the choice costs in pence: unit price x full copies; short copies add nothing. */
export function costOf({ certificateOptions }: Pick<Draft, "certificateOptions">, prices: UnitPrices) {
  const { fullCertificates: copies, isPriority } = certificateOptions;
  const unitPence = penceOf(isPriority ? prices.priority : prices.standard) ?? 0;
  return { copies, unitPence, totalPence: unitPence * copies };
}
