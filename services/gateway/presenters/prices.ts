import { z } from "zod";
import { serviceLevel } from "../../../domain/order/vocabulary.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { PricedCertificate, PriceList } from "../../../domain/pricing/price-list.ts";
import { type Presented, pounds } from "../presented.ts";

/** Section 7's list, in pounds. */
export const pricesAnswer = z
  .array(z.object({ serviceId: serviceLevel, retailPrice: pounds }))
  .meta({ id: "ServicePrices" });

/** GET /api/pricing/services/{type}-certificate: section 7's list, in pounds. */
export function presentPrices(type: PricedCertificate, list: PriceList): Presented<typeof pricesAnswer> {
  const { standard, priority } = list.unitPricePence[type];
  return [
    { serviceId: "standard", retailPrice: poundsOf(standard) },
    { serviceId: "priority", retailPrice: poundsOf(priority) },
  ];
}
