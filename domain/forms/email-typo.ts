import type { Doubt } from "./question.ts";

/** The most common email domains in the United Kingdom, which are never questioned. */
const known = [
  "gmail.com",
  "googlemail.com",
  "hotmail.com",
  "hotmail.co.uk",
  "outlook.com",
  "live.com",
  "live.co.uk",
  "msn.com",
  "yahoo.com",
  "yahoo.co.uk",
  "ymail.com",
  "rocketmail.com",
  "icloud.com",
  "me.com",
  "mac.com",
  "aol.com",
  "aol.co.uk",
  "btinternet.com",
  "btopenworld.com",
  "virginmedia.com",
  "blueyonder.co.uk",
  "ntlworld.com",
  "sky.com",
  "talktalk.net",
  "tiscali.co.uk",
  "plus.com",
  "mail.com",
  "email.com",
  "gmx.com",
  "gmx.net",
  "gmx.co.uk",
  "proton.me",
  "protonmail.com",
  "fastmail.com",
  "zoho.com",
] as const;

const isKnown = new Set<string>(known);

/** Non-existent top-level domains, with the intended ones. Real ones such as .co, .cm and .om are left alone. */
const endings: readonly (readonly [wrong: RegExp, meant: string])[] = [
  [/\.(con|cpm|cmo|vom|xom|ocm|comm|coom|conm|clm)$/, ".com"],
  [/\.(co\.k|co\.ku|couk|co\.ik|co\.ul|co\.uj|c\.uk|c\.ouk|co\.ukk|co\.uuk)$/, ".co.uk"],
];

/** Domains without mail that are confused with similar ones that have it. */
const namesakes = new Map([
  ["gmail.co.uk", "gmail.com"],
  ["googlemail.co.uk", "googlemail.com"],
]);

/** Shorter names are one typing mistake from too many real ones: aol.com, ool.com, all.com. */
const leastForSlips = 8;

/** True when one letter too many, too few or wrong, or two neighbours swapped, execute `typed` from `meant`. */
function isOneSlip(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length);
  let start = 0;
  while (start < shorter && typed[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const wrong = typed.slice(start, typed.length - end);
  const right = meant.slice(start, meant.length - end);
  if (wrong.length <= 1 && right.length <= 1) return wrong !== right;
  return wrong.length === 2 && right.length === 2 && wrong[0] === right[1] && wrong[1] === right[0];
}

/** The probably intended domain; undefined if there is no doubt. */
function domainMeant(domain: string): string | undefined {
  if (isKnown.has(domain)) return undefined;
  const ended = endings.reduce((name, [wrong, meant]) => name.replace(wrong, meant), domain);
  const meant =
    namesakes.get(ended) ??
    (isKnown.has(ended)
      ? ended
      : known.find((name) => name.length >= leastForSlips && isOneSlip(ended, name)));
  return meant ?? (ended === domain ? undefined : ended);
}

/** Questions an email address whose domain looks mistyped, such as `sian@gmial.com`. Never refuses. */
export function questionEmail(typed: string): Doubt | undefined {
  const [, name, domain] = /^([^@\s]+)@([^@\s]+)$/.exec(typed.trim().slice(0, 254)) ?? [];
  if (name === undefined || domain === undefined) return undefined;
  const meant = domainMeant(domain.toLowerCase());
  if (meant === undefined) return undefined;
  const suggestion = `${name}@${meant}`;
  return { message: `Did you mean ${suggestion}?`, suggestion };
}
