/** Pounds as section 7's JSON has them, from integer pence: 4500 → 45. */
export const poundsOf = (pence: number): number => pence / 100;

/** `£45.00`, and `£1,234.50`. */
export const formatPounds = (pence: number): string => {
  const [whole, decimals] = (pence / 100).toFixed(2).split(".");
  return `£${String(whole).replace(/\B(?=(\d{3})+$)/g, ",")}.${decimals}`;
};

/** Integer pence from pounds; undefined when it is no whole number of pence, because a price never is. */
export function penceOf(pounds: number): number | undefined {
  const pence = Math.round(pounds * 100);
  return Number.isSafeInteger(pence) && Math.abs(pounds * 100 - pence) < 1e-6 ? pence : undefined;
}

/** Standard rate. Source: Value Added Tax Act 1994, section 2(1). */
export const vatPercent = 20;

/** The VAT within a price that includes it, in pence. */
export const vatWithin = (pence: number): number => Math.round((pence * vatPercent) / (100 + vatPercent));
