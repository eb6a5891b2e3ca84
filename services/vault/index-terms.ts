import { titles } from "../../domain/forms/options.ts";
import { comparableEmail } from "../../domain/ticket/held-texts.ts";
import { inTransaction, type Pool } from "../../infra/postgres/pool.ts";

export type TermKind = "email" | "surname" | "postcode";

export type Term = { readonly kind: TermKind; readonly text: string };

/** Searchable fields of a contact record; a ticket's has no postcode. */
export type Findable = { readonly email: string; readonly name: string; readonly postcode?: string };

/** Limit on endings of a name: no surname has more words. */
const mostEndings = 5;

const apostrophes = /['’‘ʼ`´]/g;

/** Letters that Unicode does not decompose, with the spelling of people without them on the keyboard. */
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

export function termsOf({ email, name, postcode }: Findable): readonly Term[] {
  return [
    ...term("email", comparableEmail(email)),
    ...surnamesIn(name).flatMap((text) => term("surname", text)),
    ...(postcode === undefined ? [] : term("postcode", plainPostcode(postcode))),
  ];
}

/** The normalised search text; undefined if nothing is left of it. */
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
 * A name is one text, and where the surname begins is unknown: "Mrs Siân ap Rhys" is found under "Rhys", "ap Rhys" and
 * the whole. A forename alone finds no one, unless it is the whole name.
 */
function surnamesIn(name: string): readonly string[] {
  const words = nameWords(name);
  return words.map((_, at) => words.slice(at).join("")).slice(-mostEndings);
}

/**
 * Apostrophes join (O'Brien), hyphens separate (Smith-Jones is found under Jones too); titles, accents and case are
 * dropped.
 */
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
 * If the blind index is empty, it was lost or never filled: makes every contact record due for a check, which indexes
 * it again. All at once, because the first one fills the index; does nothing while the index holds anything.
 */
export async function lookForLostIndex({ pool, now }: { pool: Pool; now: () => Date }): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Millions of records take longer than the pool's statement limit.
    await client.query("set local statement_timeout = '30min'");
    await client.query(
      `update vault_records set due_at = $1, kept_days = null
       where kind in ('contact', 'ticketContact') and destroyed_at is null and due_at > $1
         and not exists (select from blind_index)`,
      [now()],
    );
  });
}
