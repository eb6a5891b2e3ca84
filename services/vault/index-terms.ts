import { titles } from "../../domain/forms/options.ts";
import { comparableEmail } from "../../domain/ticket/sealed-texts.ts";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import type { TermKind } from "./finding.ts";

/** One normalised text that a person can be found by. */
export type Term = { readonly kind: TermKind; readonly text: string };

/** What a contact record says of who it is about; a ticket's has no postcode. */
export type Findable = { readonly email: string; readonly name: string; readonly postcode?: string };

/** Most endings of one name: nobody's surname has more words. */
const mostEndings = 5;

const apostrophes = /['’‘ʼ`´]/g;

/** Letters that are no accented form of another to Unicode, and which people write without when their keyboard has none. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ß: "ss",
  ı: "i",
  ς: "σ",
};

const titleWords: ReadonlySet<string> = new Set(titles.map((title) => title.toLowerCase()));

/** Everything that a contact record is to be found by. */
export function termsOf({ email, name, postcode }: Findable): readonly Term[] {
  return [
    ...term("email", comparableEmail(email)),
    ...surnamesIn(name).flatMap((text) => term("surname", text)),
    ...(postcode === undefined ? [] : term("postcode", plainPostcode(postcode))),
  ];
}

/** What somebody looks for; undefined when nothing is left of it. */
export function typedTerm(kind: TermKind, typed: string): Term | undefined {
  const plain = {
    email: comparableEmail,
    surname: (words: string) => nameWords(words).join(""),
    postcode: plainPostcode,
  };
  return term(kind, plain[kind](typed))[0];
}

const term = (kind: TermKind, text: string): Term[] => (text === "" ? [] : [{ kind, text }]);

/**
 * A name is one text, and where its surname begins nobody can tell: "Mrs Siân ap Rhys" is found under "Rhys", "ap Rhys" and
 * the whole. A forename alone finds nobody, unless it is all there is.
 */
function surnamesIn(name: string): readonly string[] {
  const words = nameWords(name);
  return words.map((_, at) => words.slice(at).join("")).slice(-mostEndings);
}

/** Apostrophes join (O'Brien), hyphens part (Smith-Jones is found under Jones too); titles, accents and case go. */
function nameWords(text: string): readonly string[] {
  const words = text
    .replace(apostrophes, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[æœøđðþłßıς]/g, (letter) => plainLetters[letter] ?? letter)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words.length > 1 && titleWords.has(words[0] ?? "") ? words.slice(1) : words;
}

const plainPostcode = (typed: string): string =>
  typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Where the blind index holds nothing at all, it was lost, or there was nothing to find yet: every contact record is then due to be looked
 * at, which indexes anew what is to be found. All at once, for the first of them fills the index; no record is read while it holds anything.
 */
export async function lookForLostIndex({ pool, now }: { pool: Pool; now: () => Date }): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Millions of records take longer than the pool gives a statement.
    await client.query("set local statement_timeout = '30min'");
    await client.query(
      `update vault_records set due_at = $1, kept_days = null
       where kind in ('contact', 'ticketContact') and destroyed_at is null and due_at > $1
         and not exists (select from blind_index)`,
      [now()],
    );
  });
}
