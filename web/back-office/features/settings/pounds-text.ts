import { penceOf } from "../../../../domain/pricing/money.ts";

/** '49.00', for a box that has its pound sign beside it. */
export const poundsText = (pence: number): string => (pence / 100).toFixed(2);

/** Pence from what somebody typed, with or without pound sign and commas; undefined when it is no amount. */
export function penceIn(text: string): number | undefined {
  const plain = text.trim().replace(/^£\s*/, "").replaceAll(",", "");
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? penceOf(Number(plain)) : undefined;
}
