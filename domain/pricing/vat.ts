/** Standard rate. Source: Value Added Tax Act 1994, section 2(1). */
export const vatPercent = 20;

/** The VAT within a price that includes it, in pence. */
export const vatWithin = (pence: number): number => Math.round((pence * vatPercent) / (100 + vatPercent));
