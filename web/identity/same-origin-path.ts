/**
 * A path of this site, or the fallback. Refuses everything that could lead elsewhere: other origins, `//host`, `\\host`
 * (browsers read a backslash as a slash), `javascript:`, and any of these after tabs or line breaks, which browsers
 * ignore.
 * @param asked from the URL, decoded once
 */
export function sameOriginPath(asked: string | null, otherwise: string): string {
  if (asked === null || !asked.startsWith("/") || /[\\\p{Cc}]/u.test(asked)) return otherwise;
  const here = "https://here.invalid";
  if (!URL.canParse(asked, here)) return otherwise;
  const { origin, pathname, search, hash } = new URL(asked, here);
  // `/./` and `/../` are resolved by now: `/.//evil.example` is the path `//evil.example`, which as an address is
  // another host.
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : otherwise;
}
