/** An order's label, `REF-{year}-{number}`: `number` is whole, from 0 to 999. Orders may share one; it is never a key. */
export function orderReference(year: number, number: number): string {
  if (!Number.isInteger(number) || number < 0 || number > 999)
    throw new RangeError("number must be below 1000");
  return `REF-${year}-${number}`;
}
