import { poundsOf } from "../../../domain/pricing/money.ts";
import { type PricedCertificate, priceListAt } from "../../../domain/pricing/price-list.ts";

/** GET /api/pricing/services/{type}-certificate: section 7's list, in pounds, from the list in force at `at` (ISO 8601). */
export function presentPrices(type: PricedCertificate, at: string) {
  const { standard, priority } = priceListAt(at).unitPricePence[type];
  return [
    { serviceId: "standard", retailPrice: poundsOf(standard) },
    { serviceId: "priority", retailPrice: poundsOf(priority) },
  ];
}
