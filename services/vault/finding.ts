export type TermKind = "email" | "surname" | "postcode";

export type FoundSubject = { readonly kind: "order" | "ticket" | "draft"; readonly id: string };

/** `more`: there are others beyond the limit. */
export type Findings = { readonly subjects: readonly FoundSubject[]; readonly more: boolean };

/**
 * Port for finding people. The search text is compared under the keys of the blind index and not stored. Orders can be
 * found once paid, tickets once opened, both until their contact data is purged, and saved drafts until they are;
 * newest months first.
 */
export type Finder = {
  /**
   * @param typed case, accents, spaces and punctuation do not matter; in an email address only case does not
   * @throws RecordUnreadable when a month's key cannot be read
   */
  find(kind: TermKind, typed: string, limit: number): Promise<Findings>;
};

/**
 * A customer is one email address: a random id stored beside the address's terms in the blind index and nowhere else.
 * It stays the same while one of their contact records remains, and goes with the last.
 */
export type Customers = {
  customerOf(email: string): Promise<string | undefined>;
  /** Customer ids by order or ticket id; those without a customer (any more) are left out. */
  customersOf(subjectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Orders and tickets of a customer; none when there is no such customer (any more). */
  subjectsOf(customerId: string, limit: number): Promise<Findings>;
};
