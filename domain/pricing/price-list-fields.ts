import { z } from "zod";
import * as field from "../fields.ts";
import type { PriceLists } from "./price-list.ts";

/**
 * The price list as commands and events hold it. Apart from price-list.ts, so that the public pages need no parser for
 * it.
 */

const servicePrices = z.strictObject({ standard: field.pence, priority: field.pence });

/** What one full copy of each type costs, in pence. */
export const unitPricePence = z.strictObject({
  Birth: servicePrices,
  Death: servicePrices,
  Marriage: servicePrices,
  Adoption: servicePrices,
});

/** One list, from its day on. */
export const priceList = z.strictObject({
  version: field.ordinal,
  effectiveFrom: field.date,
  unitPricePence,
});

/** All lists that were ever in force or are scheduled, oldest day first. */
export const priceLists: z.ZodType<PriceLists> = z.tuple([priceList], priceList);
