import { parseOrderNumber } from "../../numbers.ts";

/** What an order is searched by. All but the number are found by blind index, without a look at the data. */
export const searchKinds = ["number", "email", "surname", "postcode"] as const;
export type SearchKind = (typeof searchKinds)[number];

const postcode = /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$/i;

/** What the text in the single search box probably is. */
export function searchKindOf(typed: string): SearchKind {
  const text = typed.trim();
  if (text.includes("@")) return "email";
  if (parseOrderNumber(text) !== undefined) return "number";
  return postcode.test(text) ? "postcode" : "surname";
}
