import type { pricesAnswer } from "../../contract/site/site.ts";
import { poundsOf } from "../../domain/pricing/money.ts";
import type { PricedCertificate, PriceList } from "../../domain/pricing/price-list.ts";
import type { Presented } from "../gateway/routing/presented.ts";

/** GET /api/pricing/services/{type}-certificate: section 7's list, in pounds. */
export function presentPrices(type: PricedCertificate, list: PriceList): Presented<typeof pricesAnswer> {
  const { standard, priority } = list.unitPricePence[type];
  return [
    { serviceId: "standard", retailPrice: poundsOf(standard) },
    { serviceId: "priority", retailPrice: poundsOf(priority) },
  ];
}
