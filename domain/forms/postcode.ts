/** Upper case, one space before the last three characters, nothing else: ` ng15fs ` becomes `NG1 5FS`. Never refuses. */
export function tidyPostcode(typed: string): string {
  const tight = typed.toUpperCase().replace(/\s+/g, "");
  return /^[A-Z0-9]{5,7}$/.test(tight)
    ? `${tight.slice(0, -3)} ${tight.slice(-3)}`
    : typed.trim().toUpperCase();
}

/** Asks about a postcode of a shape that the Royal Mail does not use. An empty one is not ours to question. */
export function questionPostcode(typed: string): string | undefined {
  const tidy = tidyPostcode(typed);
  if (tidy === "" || /^(GIR 0AA|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})$/.test(tidy)) return undefined;
  return `${tidy} does not look like a UK postcode. Is it right?`;
}
