/**
 * A path of this site to go to, or the one given instead. Everything that could lead away is refused: other origins, `//host`,
 * `\\host` (browsers read a backslash as a slash), `javascript:`, and any of them behind tabs or line ends, which browsers leave out.
 * @param asked what stood in the address, decoded once
 */
export function sameOriginPath(asked: string | null, otherwise: string): string {
  if (asked === null || !asked.startsWith("/") || /[\\\p{Cc}]/u.test(asked)) return otherwise;
  const here = "https://here.invalid";
  if (!URL.canParse(asked, here)) return otherwise;
  const { origin, pathname, search, hash } = new URL(asked, here);
  // `/./` and `/../` are resolved by now: `/.//evil.example` is the path `//evil.example`, which as an address is another host.
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : otherwise;
}
