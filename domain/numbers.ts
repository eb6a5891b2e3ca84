/**
 * Order numbers: 60 random bits as 12 symbols of Crockford base 32, then a check symbol of the same alphabet:
 * `7K3M-9QXT-2BWHD`. Read over the phone, typed from a letter: case, spaces and dashes do not matter, and O, I and L
 * are taken for 0, 1 and 1.
 */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const lookAlikes: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };
const randomSymbols = 12;

/** Twice a number in the field of 32 elements (x^5 + x^2 + 1). */
const double = (element: number): number => (element < 16 ? element << 1 : (element << 1) ^ 0b100101);

/** Weighted by powers of two in that field, so any one wrong symbol and any two swapped ones show. */
const checkOf = (values: readonly number[]): number => values.reduce((sum, value) => double(sum ^ value), 0);

const grouped = (symbols: string): string =>
  `${symbols.slice(0, 4)}-${symbols.slice(4, 8)}-${symbols.slice(8)}`;

const written = (values: readonly number[]): string => values.map((value) => alphabet.charAt(value)).join("");

/** The order number of 60 random bits. More bits are ignored. */
export function orderNumberOf(randomBits: bigint): string {
  const values = Array.from({ length: randomSymbols }, (_, index) =>
    Number((randomBits >> BigInt(5 * index)) & 31n),
  );
  return grouped(written([...values, checkOf(values)]));
}

/** The order number as it is stored, from typed text; undefined when it is not a valid one. */
export function parseOrderNumber(typed: string): string | undefined {
  const symbols = typed
    .toUpperCase()
    .replace(/[\s\-–—]/g, "")
    .replace(/[OIL]/g, (symbol) => lookAlikes[symbol] ?? symbol);
  if (symbols.length !== randomSymbols + 1) return undefined;
  let check = 0;
  for (const symbol of symbols.slice(0, randomSymbols)) {
    const value = alphabet.indexOf(symbol);
    if (value < 0) return undefined;
    check = double(check ^ value);
  }
  return alphabet.charAt(check) === symbols.charAt(randomSymbols) ? grouped(symbols) : undefined;
}

/**
 * An order's label, `REF-{year}-{number}`: `number` is whole, from 0 to 999. Orders may share one; it is never a key.
 */
export function orderReference(year: number, number: number): string {
  if (!Number.isInteger(number) || number < 0 || number > 999)
    throw new RangeError("number must be below 1000");
  return `REF-${year}-${number}`;
}

/** A ticket number is an order number with a prefix: `T-7K3M-9QXT-2BWHD`. */
const prefix = "T-";

/** The ticket number of 60 random bits. More bits are ignored. */
export const ticketNumberOf = (randomBits: bigint): string => `${prefix}${orderNumberOf(randomBits)}`;

/** The ticket number as it is stored, from typed text, with the T or without; undefined when it is not a valid one. */
export function parseTicketNumber(typed: string): string | undefined {
  // Tried as it is first: a number may itself begin with a T.
  const number = parseOrderNumber(typed) ?? parseOrderNumber(typed.replace(/^\s*t/i, ""));
  return number === undefined ? undefined : `${prefix}${number}`;
}
