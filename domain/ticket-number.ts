import { orderNumberOf, parseOrderNumber } from "./order-number.ts";

/** A ticket number is built like an order number, and told apart by what stands before it: `T-7K3M-9QXT-2BWHD`. */
const prefix = "T-";

/** The ticket number of 60 random bits. More bits are ignored. */
export const ticketNumberOf = (randomBits: bigint): string => `${prefix}${orderNumberOf(randomBits)}`;

/** The ticket number as it is stored, from what somebody typed, with the T or without; undefined when it can be none. */
export function parseTicketNumber(typed: string): string | undefined {
  // Tried as it is first: a number may itself begin with a T.
  const number = parseOrderNumber(typed) ?? parseOrderNumber(typed.replace(/^\s*t/i, ""));
  return number === undefined ? undefined : `${prefix}${number}`;
}
